/**
 * What tests of operators need: a clock that stands still, a real control plane that starts in
 * seconds, a proxy that breaks connections, and a server that answers byte by byte.
 *
 * @module
 */
export type { AuditEvent } from "./audit_log.ts";
export {
  CertificateAuthority,
  type CertificateAuthorityOptions,
  type SignOptions,
} from "../pki/certificate_authority.ts";
export type { KeyKind } from "../pki/key_pair.ts";
export type { PemPair } from "../pki/pem.ts";
export { ControlPlane, type ControlPlaneOptions, type ControlPlaneUser } from "./control_plane.ts";
export {
  CONTROL_PLANE_VERSION,
  type ControlPlaneAssets,
  controlPlaneCacheDir,
  ControlPlaneUnavailable,
  findControlPlaneAssets,
} from "./control_plane_assets.ts";
export { FakeClock } from "./fake_clock.ts";
export { type CutScope, FaultProxy, type FaultProxyOptions } from "./fault_proxy.ts";
export type { ScriptedRequest } from "./http_request_reader.ts";
export { type Script, ScriptedExchange, ScriptedServer } from "./scripted_server.ts";
