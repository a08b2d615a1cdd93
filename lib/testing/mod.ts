/**
 * Tools for tests of operators: an in-process API server that starts in milliseconds, faults in the
 * connection to it, a clock that the test advances, a real control plane that starts in seconds, a
 * proxy that breaks connections, and a server whose responses are written byte by byte.
 *
 * @module
 */
export type { ClusterSnapshot } from "@xca/apiserver";
export { ApiServer, type ApiServerOptions } from "./api_server.ts";
export type { AuditEvent } from "./plane/audit_log.ts";
export {
  CertificateAuthority,
  type CertificateAuthorityOptions,
  type KeyKind,
  type PemPair,
  type SignOptions,
} from "@xca/apimachinery/pki";
export {
  ControlPlane,
  type ControlPlaneOptions,
  type ControlPlaneUser,
} from "./plane/control_plane.ts";
export {
  CONTROL_PLANE_VERSION,
  type ControlPlaneAssets,
  controlPlaneCacheDir,
  ControlPlaneUnavailable,
  findControlPlaneAssets,
} from "./plane/control_plane_assets.ts";
export type { CallFacts } from "./faults/call_facts.ts";
export { clientOf, type ClientOfOptions, type InProcessServer } from "./embedded_client.ts";
export {
  type Expectation,
  expectGone,
  expectObject,
  type ExpectOptions,
  type Partially,
} from "./expect_object.ts";
export {
  type Crash,
  crashesAt,
  OperatorProcess,
  type OperatorProcessOptions,
} from "./operator_process.ts";
export { FakeClock } from "./fake_clock.ts";
export { type CutScope, FaultProxy, type FaultProxyOptions } from "./faults/fault_proxy.ts";
export {
  answerStatus,
  cutAnswer,
  delayCall,
  dropCall,
  type Fault,
  type FaultStatus,
  type FaultTools,
} from "./faults/faults.ts";
export type { ScriptedRequest } from "./http_request_reader.ts";
export { type Script, ScriptedExchange, ScriptedServer } from "./scripted_server.ts";
export { staleReads } from "./faults/stale_reads.ts";
export {
  type CallFilter,
  type FaultOptions,
  type FaultyFetch,
  withFault,
} from "./faults/with_fault.ts";
