/**
 * Controllers: events pass predicates and are mapped to keys, workers take the keys and call the
 * reconciler. An operator runs several controllers on shared caches.
 *
 * @module
 */
export { ignoreNotFound } from "../client/errors/api_error.ts";
export { CacheReadError } from "../cache/readers/cache_read_error.ts";
export type { CacheReader } from "../cache/readers/cache_reader.ts";
export { CacheSyncError, type UnsyncedView } from "./sources/cache_sync.ts";
export {
  ControllerBuilder,
  controllerFor,
  type OwnsOptions,
} from "./definition/controller_builder.ts";
export type {
  ControllerDefinition,
  ControllerOptions,
  RateLimiterPorts,
  SourceDefinition,
  SourceOptions,
} from "./definition/controller_definition.ts";
export type {
  ControllerCounter,
  ControllerGauge,
  ControllerLabels,
  ControllerMetrics,
} from "./ports/controller_metrics.ts";
export type {
  ControllerInformer,
  ControllerInformerOptions,
  Informers,
} from "./ports/informers.ts";
export {
  type CacheReport,
  type ControllerReport,
  type ControllerStage,
  type EventReport,
  type HotLoopReport,
  type KeyReport,
  type OperatorReport,
  type QueuedKeyReport,
  REPORT_ENTRIES,
  type ReportQuery,
  type RunReport,
  type SourceReport,
} from "./ports/operator_report.ts";
export type { WebhookMetrics } from "./ports/webhook_metrics.ts";
export type { LoggerLike } from "./ports/logger_like.ts";
export type {
  ExternalSource,
  ExternalSourceContext,
  ExternalSourceDefinition,
} from "./definition/external_source.ts";
export type { WriteGate } from "./ports/write_gate.ts";
export {
  type MapFunction,
  type MappingContext,
  type ObjectKeys,
  toOwner,
  type ToOwnerOptions,
  toSelf,
} from "./definition/mapping.ts";
export { defineOperator } from "./operator/operator.ts";
export type {
  ObjectRule,
  ObjectRuleScope,
  OperatorWebhook,
  RuleParameters,
  WebhookMatch,
  WebhookMatchCondition,
  WebhookOperation,
  WebhookRegistration,
} from "./definition/operator_webhook.ts";
export {
  isOperator,
  OPERATOR,
  type Operator,
  type OperatorInit,
  type OperatorLibrary,
} from "./definition/operator_definition.ts";
export {
  type FailingKey,
  ONCE_MAX_FAILURES,
  type OnceReport,
  type OperatorHandle,
  type OperatorProgress,
  type ScheduledKey,
  type StuckRun,
} from "./ports/operator_progress.ts";
export {
  and,
  annotationChanged,
  type ChangeEvent,
  generationChanged,
  labelChanged,
  not,
  or,
  type Predicate,
} from "./definition/predicate.ts";
export type { ReconcileContext, Reconciler, RequeueAfter } from "./definition/reconciler.ts";
export {
  checkResources,
  type CheckResourcesOptions,
  ResourceMismatchError,
  type UncheckedResource,
} from "./operator/resource_check.ts";
export { reconcileOnce, type ReconcileOnceOptions } from "./operator/reconcile_once.ts";
export { resourceUse } from "./definition/declare_use.ts";
export type {
  AccessCall,
  AccessVerb,
  NamedCall,
  ResourceUse,
  UseOptions,
} from "./definition/resource_use.ts";
export {
  retryAfter,
  RetryAfterError,
  type RetryAfterOptions,
} from "./definition/retry_after_error.ts";
export { runOperator, type RunOperatorOptions } from "./operator/run_operator.ts";
export {
  applyChild,
  type ApplyChildOptions,
  type ChildContext,
  type ChildResult,
} from "./children/apply_child.ts";
export { type ChildOwner, ForeignChildError } from "./children/child_ownership.ts";
export {
  type Child,
  child,
  ChildSet,
  type ChildSetInit,
  type ChildSetResult,
} from "./children/child_set.ts";
export { childSource } from "./children/child_source.ts";
export { createOrUpdate } from "./children/create_or_update.ts";
export { pruneChildren, type PruneChildrenOptions } from "./children/prune_children.ts";
export { finalize, type FinalizeContext, type FinalizeOptions } from "./finalizer/finalize.ts";
export { patchStatus, type PatchStatusContext, type StatusOf } from "./status/patch_status.ts";
export { terminal, TerminalError } from "./definition/terminal_error.ts";
export { type FoundRuntime, type OperatorRuntime, runtimeOf } from "./operator/runtime_of.ts";
