/**
 * The names that a small Kubernetes operator needs, in one entry point.
 *
 * - {@linkcode resourceType} names a resource; built-in resources have constants such as
 *   {@linkcode ConfigMap}.
 * - {@linkcode controllerFor} builds a controller from sources and a reconciler.
 * - {@linkcode defineOperator} combines controllers; `kubectl xca run MODULE`, or the manager of
 *   `@xca/operator/manager`, runs them. {@linkcode runOperator}, the core of the manager, is enough
 *   for tests.
 *
 * The other entry points are `@xca/operator/controller`, `/manager`, `/webhook`, `/rbac`,
 * `/resource`, `/evolution`, `/project`, `/events`, `/schedule`, `/cache`, `/client`, `/cluster`,
 * `/workqueue`, `/meta`, `/base`, `/kubernetes-types`, `/testing` and `/xca`.
 *
 * @example An operator that greets every ConfigMap
 * ```ts
 * import { ConfigMap, controllerFor, defineOperator, type Operator } from "@xca/operator";
 *
 * export const operator: Operator = defineOperator({
 *   name: "greeter",
 *   controllers: [
 *     controllerFor(ConfigMap).reconcile(async ({ key, cache, client }) => {
 *       const map = cache.get(ConfigMap, key);
 *       if (!map || map.metadata.annotations?.greeting) return;
 *       map.metadata.annotations = { ...map.metadata.annotations, greeting: "hello" };
 *       await client.update(ConfigMap, map);
 *     }),
 *   ],
 * });
 * ```
 *
 * @module
 */
export { type Clock, delay, type LoggingOptions, startLogging } from "@xca/apimachinery/base";
export {
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  controllerOf,
  CronJob,
  CustomResourceDefinition,
  DaemonSet,
  Deployment,
  Event,
  formatTime,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  keyOf,
  type KubeObject,
  Lease,
  metadataOf,
  Namespace,
  NetworkPolicy,
  Node,
  type ObjectKey,
  type ObjectMeta,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  ReplicaSet,
  type ResourceType,
  resourceType,
  Role,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
  setControllerReference,
  StatefulSet,
  type UnstructuredObject,
} from "@xca/apimachinery/meta";
export type { CacheReader, ObservedObject } from "./lib/cache/mod.ts";
export {
  ApiError,
  applyPatch,
  type Client,
  type ClientConfig,
  ConfigError,
  createClient,
  ignoreNotFound,
  isAlreadyExists,
  isConflict,
  isNotFound,
  jsonPatch,
  loadConfig,
  mergePatch,
  retryOnConflict,
  type RetryOnConflictOptions,
  UnreachableError,
} from "./lib/client/mod.ts";
export {
  annotationChanged,
  type ControllerDefinition,
  controllerFor,
  type ControllerOptions,
  defineOperator,
  generationChanged,
  labelChanged,
  type LoggerLike,
  type Operator,
  type OperatorHandle,
  type Predicate,
  type ReconcileContext,
  type Reconciler,
  type RequeueAfter,
  retryAfter,
  RetryAfterError,
  type RetryAfterOptions,
  runOperator,
  type RunOperatorOptions,
  terminal,
  TerminalError,
} from "./lib/controller/mod.ts";
