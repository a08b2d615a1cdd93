/**
 * An in-process Kubernetes API server: a function from `Request` to `Response` with the semantics
 * of kube-apiserver, its keys and certificates, and the HTTPS front for kubectl and other clients.
 *
 * @module
 */
export { ApiServer, type ClusterSnapshot } from "./server.ts";
export type { ApiServerOptions } from "./server_options.ts";
export type { ServerComponent } from "./registry/handlers/component_statuses.ts";
export { API_SERVER_CONTROLLERS } from "./controllers/controllers.ts";
export type { PeerInfo } from "./access/access.ts";
export type { StaticTokens } from "./access/tokens/static_tokens.ts";
export type { AuditSink } from "./audit/audit_trail.ts";
export { ApiFront, type ApiFrontOptions, type PeerFetch } from "./front/api_front.ts";
export {
  keyFolder,
  type KeyStore,
  openServerKeys,
  type ServerKeys,
  type ServerKeysOptions,
} from "./front/server_keys.ts";
export type { CallWebhook, WebhookClientConfig, WebhookRequest } from "./machinery/call_webhook.ts";
export type { HostPort } from "./machinery/registry_reader.ts";
export type { RequestUser } from "@xca/apimachinery/internal/access";
export type { ApiObject } from "@xca/apimachinery/internal/values";
export { parseManifests } from "./seed/manifests.ts";
export { type SeedFetch, seedObjects, type SeedOptions } from "./seed/seed_objects.ts";
