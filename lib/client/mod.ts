/**
 * The way to an API server: configuration, credentials, transport, and the doors to its resources, with
 * the errors that they reject with. All doors share one transport:
 *
 * - typed: {@linkcode Client}, of {@linkcode createClient}, for resources known to the program;
 * - dynamic: {@linkcode dynamicClient}, for resources named at run time;
 * - discovery: {@linkcode discoveryClient}, for what the server serves and how it is called;
 * - REST: {@linkcode restClient}, for any call, built step by step;
 * - raw: {@linkcode Client.raw}, bytes for caches.
 *
 * {@linkcode inNamespace}, {@linkcode withFieldOwner}, {@linkcode dryRunOnly} and
 * {@linkcode intercept} make narrower clients of a client.
 *
 * @module
 */
export {
  ApiError,
  apiErrorFromObject,
  apiErrorFromRaw,
  type ApiErrorInit,
  hasStatusCause,
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
export type { Sourced } from "./config/config_place.ts";
export { type ClientOptions, createClient } from "./create_client.ts";
export {
  createCredentials,
  type CredentialsOptions,
  type CredentialsSource,
} from "./credentials/create_credentials.ts";
export type { CredentialHeaders, Credentials } from "./credentials/credentials.ts";
export {
  AnswerTooLargeError,
  DecodeError,
  type DecodeErrorOptions,
  FrameTooLargeError,
} from "./errors/decode_error.ts";
export { LineSplitter, MAX_FRAME_BYTES } from "./decode/lines.ts";
export { ListDecoder } from "./decode/list_items.ts";
export { decodeWatchFrame } from "./decode/watch_frames.ts";
export {
  type DiscoveryClient,
  discoveryClient,
  type DiscoveryOptions,
  type LookupOptions,
} from "./discovery/discovery_client.ts";
export {
  type ApiGroup,
  type ApiResource,
  type ApiSubresource,
  type ApiVersion,
  type DiscoveryFailure,
  type GroupVersionKind,
  type ServerResources,
} from "./discovery/discovery_resource.ts";
export {
  type Dial,
  type SocketClose,
  UpgradeRefused,
  type WebSocketLike,
} from "./transport/dial.ts";
export {
  type DynamicClient,
  dynamicClient,
  type DynamicClientOptions,
  type DynamicResource,
  type DynamicResourceName,
} from "./dynamic_client.ts";
export type { Fetch } from "./transport/fetch.ts";
export { inClusterConfig } from "./kubeconfig/in_cluster.ts";
export type { ClientCertificate } from "./credentials/exec_output.ts";
export {
  type ClusterLike,
  configFromKubeConfigLike,
  type KubeConfigLike,
  type UserLike,
} from "./kubeconfig/kube_config_like.ts";
export type {
  AuthProviderEntry,
  ClusterEntry,
  ContextEntry,
  ExecEntry,
  Kubeconfig,
  UserEntry,
} from "./kubeconfig/kubeconfig.ts";
export { findKubeconfig, type FoundKubeconfig } from "./kubeconfig/kubeconfig_sources.ts";
export { buildConfigFromFlags, type ConfigFlags, loadConfig } from "./kubeconfig/load_config.ts";
export type {
  ApplyOptions,
  CallOptions,
  CreateOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  FieldValidation,
  GetOptions,
  ListOptions,
  PropagationPolicy,
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
export {
  type ApplyPatch,
  applyPatch,
  type JsonPatch,
  jsonPatch,
  type JsonPatchOperation,
  type MergePatch,
  mergePatch,
  type Patch,
  type StrategicPatch,
  strategicPatch,
} from "./typed/patch.ts";
export type {
  ApplyFields,
  MergeFields,
  PartialFields,
  StrategicFields,
} from "./typed/patch_fields.ts";
export { objectPath, type PathTarget, resourcePath } from "./calls/paths.ts";
export type { ListQuery, ResourceVersionMatch, WatchQuery } from "./calls/list_query.ts";
export type { RawListOptions, RawListResult, RawResource, RawWatchOptions } from "./raw/raw.ts";
export type {
  RawObject,
  RawObjectEvent,
  RawWatchEvent,
  UndecodableEvent,
} from "./decode/raw_event.ts";
export type {
  AuthProviderConfig,
  CredentialPluginPolicy,
  ExecApiVersion,
  ExecConfig,
  InteractiveMode,
} from "./config/plugin_config.ts";
export type { QueryValue, RestDoor, RestRequest } from "./calls/rest.ts";
export { RestClient, restClient } from "./rest/rest_builder.ts";
export { type KindName, type RestMapping } from "./discovery/rest_mapping.ts";
export { AmbiguousResourceError, NoMatchError } from "./discovery/rest_mapping_error.ts";
export { type RateLimit, RateLimitedError } from "./calls/request_limiter.ts";
export type { SocketDoor, SocketRequest } from "./calls/socket_door.ts";
export {
  type ConfigSources,
  findPermissions,
  permissionFlags,
  type Permissions,
  permissionsOf,
  type PermissionsOptions,
} from "./kubeconfig/permissions.ts";
export { retryOnConflict, type RetryOnConflictOptions } from "./typed/retry_on_conflict.ts";
export type {
  ClientCall,
  ConnectCall,
  CreateCall,
  DeleteCall,
  DeleteCollectionCall,
  GetCall,
  Hook,
  Interceptor,
  ListCall,
  PatchCall,
  RawCall,
  RequestCall,
  UpdateCall,
  WatchCall,
} from "./scoped/scoped_calls.ts";
export { dryRunOnly } from "./scoped/scoped_dry_run.ts";
export { withFieldOwner } from "./scoped/scoped_field_owner.ts";
export { intercept } from "./scoped/scoped_interceptor.ts";
export { inNamespace } from "./scoped/scoped_namespace.ts";
export { type ServerVersion, serverVersion } from "./discovery/server_version.ts";
export { isStatus, type Status, type StatusCause, type StatusDetails } from "./errors/status.ts";
export { createTransport, type Transport, type TransportOptions } from "./transport/transport.ts";
export {
  IdleTimeoutError,
  StreamBrokenError,
  UnreachableError,
  type UnreachableErrorInit,
} from "./errors/unreachable_error.ts";
export type { OnWarning, WarnedCall } from "./calls/warnings.ts";
export type { WatchEvent } from "./typed/watch_event.ts";
export {
  type AccessDecision,
  type AccessSubject,
  listOwnRules,
  type OwnRules,
  type PathAccess,
  type ResourceAccess,
  type ResourceRule,
  reviewAccess,
  reviewOwnAccess,
} from "./subresources/access_review.ts";
export { type BindOptions, bindPod } from "./subresources/binding.ts";
export { evictPod, isDisruptionBudget } from "./subresources/eviction.ts";
export {
  type ExecOutput,
  podAttach,
  type PodAttachOptions,
  podExec,
  type PodExecOptions,
  podExecOutput,
  type PodExecOutputOptions,
} from "./pods/pod_exec.ts";
export { podLogLines, type PodLogOptions, podLogs } from "./pods/pod_log.ts";
export {
  podPortForward,
  type PodPortForwardOptions,
  type PortForward,
} from "./pods/port_forward.ts";
export { podPort, type PodPortOptions, type PortStream } from "./pods/port_stream.ts";
export { type ExitStatus, RemoteProcess, type TerminalSize } from "./pods/remote_process.ts";
export { getScale, type Scale, updateScale } from "./subresources/scale.ts";
export {
  getTable,
  type GetTableOptions,
  type IncludeObject,
  listTable,
  type ListTableOptions,
  type Table,
  type TableColumn,
  type TableRow,
} from "./subresources/table.ts";
export {
  type IssuedToken,
  requestToken,
  reviewToken,
  type TokenRequestOptions,
  type TokenReviewOptions,
  type TokenReviewStatus,
  type UserInfo,
  whoAmI,
} from "./subresources/token_request.ts";
export {
  type WaitCondition,
  waitFor,
  type WaitOptions,
  WaitTimeoutError,
} from "./subresources/wait.ts";
