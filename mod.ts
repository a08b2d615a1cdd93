/**
 * Write a Kubernetes operator in TypeScript: what a small operator needs, in one import.
 *
 * - Name a resource with {@linkcode resourceType}, or take a built-in one such as
 *   {@linkcode ConfigMap}.
 * - Say what to do about one object with {@linkcode controllerFor}.
 * - Put controllers together with {@linkcode defineOperator}; run them with
 *   {@linkcode runOperator}, or let `kubectl xca run MODULE` do it.
 *
 * The rest is one door further: `@xca/operator/controller`, `/cache`, `/client`, `/workqueue`,
 * `/meta`, `/testing`.
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
