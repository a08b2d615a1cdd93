/**
 * Clients of a Kubernetes API server: configuration, credentials, transport, calls and errors. The
 * first of these clients has connections of its own, which the others use:
 *
 * - typed: {@linkcode Client}, created by {@linkcode createClient}, for resources known to the
 *   program;
 * - dynamic: {@linkcode dynamicClient}, for resources named at run time;
 * - discovery: {@linkcode discoveryClient}, for the resources of the server and their names;
 * - REST: {@linkcode restClient}, for any call, built step by step;
 * - raw: {@linkcode Client.raw}, for objects as undecoded bytes, which caches read.
 *
 * {@linkcode inNamespace}, {@linkcode withFieldOwner}, {@linkcode dryRunOnly} and {@linkcode
 * intercept} wrap a client.
 *
 * @module
 */
export {
  ApiError,
  ignoreNotFound,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotSupported,
  isNotFound,
  isRequestEntityTooLarge,
  isServiceUnavailable,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
} from "./errors/api_error.ts";
export type { Client } from "./typed/client.ts";
export {
  type ClientConfig,
  ConfigError,
  type ConfigOverrides,
  type CredentialsConfig,
  type ImpersonateConfig,
  type TlsConfig,
} from "./config/config.ts";
export type { ClientMetrics } from "./calls/client_metrics.ts";
export { type ClientOptions, createClient } from "./create_client.ts";
export type { Credentials } from "./credentials/credentials.ts";
export { AnswerTooLargeError, DecodeError, FrameTooLargeError } from "./errors/decode_error.ts";
export { type DiscoveryClient, discoveryClient } from "./discovery/discovery_client.ts";
export type {
  ApiGroup,
  ApiResource,
  ApiVersion,
  GroupVersionKind,
  ServerResources,
} from "./discovery/discovery_resource.ts";
export { type Dial, UpgradeRefused, type WebSocketLike } from "./transport/dial.ts";
export { type DynamicClient, dynamicClient, type DynamicResource } from "./dynamic_client.ts";
export type { Fetch } from "./transport/fetch.ts";
export { inClusterConfig } from "./kubeconfig/in_cluster.ts";
export { configFromKubeConfigLike, type KubeConfigLike } from "./kubeconfig/kube_config_like.ts";
export { kubeconfigNames } from "./kubeconfig/kubeconfig_sources.ts";
export { loadConfig } from "./kubeconfig/load_config.ts";
export type {
  AdmitOptions,
  ApplyOptions,
  CallOptions,
  CreateOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  SelectOptions,
  WatchOptions,
  WriteOptions,
} from "./calls/options.ts";
export {
  type OpenApiClient,
  openApiClient,
  type OpenApiDocument,
  type OpenApiSchema,
} from "./discovery/openapi.ts";
export { applyPatch, jsonPatch, mergePatch, type Patch, strategicPatch } from "./typed/patch.ts";
export type {
  ApplyFields,
  MergeFields,
  PartialFields,
  StrategicFields,
} from "./typed/patch_fields.ts";
export type { ListQuery, WatchQuery } from "./calls/list_query.ts";
export type { RawResource } from "./raw/raw.ts";
export type { RawObject, RawObjectEvent, RawWatchEvent } from "./decode/raw_event.ts";
export type {
  AuthProviderConfig,
  CredentialPluginPolicy,
  ExecConfig,
} from "./config/plugin_config.ts";
export type { RestCalls, RestRequest } from "./calls/rest.ts";
export { RestClient, restClient } from "./rest/rest_builder.ts";
export type { RestMapping } from "./discovery/rest_mapping.ts";
export { AmbiguousResourceError, NoMatchError } from "./discovery/rest_mapping_error.ts";
export { type RateLimit, RateLimitedError } from "./calls/request_limiter.ts";
export type { SocketCalls, SocketRequest } from "./calls/socket_calls.ts";
export { findPermissions, permissionFlags, type Permissions } from "./kubeconfig/permissions.ts";
export { retryOnConflict, type RetryOnConflictOptions } from "./typed/retry_on_conflict.ts";
export type { ClientCall, Hook, Interceptor } from "./scoped/scoped_calls.ts";
export { dryRunOnly } from "./scoped/scoped_dry_run.ts";
export { withFieldOwner } from "./scoped/scoped_field_owner.ts";
export { intercept } from "./scoped/scoped_interceptor.ts";
export { inNamespace } from "./scoped/scoped_namespace.ts";
export { serverVersion } from "./discovery/server_version.ts";
export type { Status } from "./errors/status.ts";
export { createTransport, type Transport } from "./transport/transport.ts";
export {
  IdleTimeoutError,
  StreamBrokenError,
  UnreachableError,
} from "./errors/unreachable_error.ts";
export type { OnWarning } from "./calls/warnings.ts";
export type { WatchEvent } from "./typed/watch_event.ts";
export {
  type AccessDecision,
  listOwnRules,
  type ResourceAccess,
  reviewAccess,
  reviewOwnAccess,
} from "./subresources/access_review.ts";
export { bindPod } from "./subresources/binding.ts";
export { evictPod, isDisruptionBudget } from "./subresources/eviction.ts";
export {
  podAttach,
  type PodAttachOptions,
  podExec,
  type PodExecOptions,
  podExecOutput,
} from "./pods/pod_exec.ts";
export { podLogLines, type PodLogOptions, podLogs } from "./pods/pod_log.ts";
export { podPortForward, type PortForward } from "./pods/port_forward.ts";
export { podPort, type PortStream } from "./pods/port_stream.ts";
export { RemoteProcess } from "./pods/remote_process.ts";
export { getScale, type Scale, updateScale } from "./subresources/scale.ts";
export { getTable, listTable, type Table } from "./subresources/table.ts";
export {
  requestToken,
  reviewToken,
  type TokenRequestOptions,
  type UserInfo,
  whoAmI,
} from "./subresources/token_request.ts";
export {
  type WaitCondition,
  waitFor,
  type WaitOptions,
  WaitTimeoutError,
} from "./subresources/wait.ts";
