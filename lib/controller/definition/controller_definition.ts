import type { Clock, Random } from "@xca/apimachinery/base";
import type { KubeObject, ObjectKey, ResourceType } from "@xca/apimachinery/meta";
import type { IndexFunc } from "../../cache/store/index_table.ts";
import type { RateLimiter } from "@xca/apimachinery/workqueue";
import type { ExternalSourceDefinition } from "./external_source.ts";
import type { MapFunction } from "./mapping.ts";
import type { Predicate } from "./predicate.ts";
import type { Reconciler } from "./reconciler.ts";
import type { ResourceUse } from "./resource_use.ts";

/**
 * Options of a controller, as set by `ControllerBuilder.options`; the defaults are applied when the
 * controller runs.
 */
export interface ControllerOptions {
  /** The maximum number of keys that the controller reconciles at once. @default {1} */
  readonly workers?: number;
  /**
   * The maximum duration of a reconcile run, in milliseconds. After that time the signal of the run
   * is aborted, and the run counts as failed with a `TimeoutError`, unless the reconciler
   * nevertheless returns a result. The limit applies to each asynchronous call of a mapping
   * function too. `Infinity` sets no limit.
   *
   * @default {600_000}
   */
  readonly timeoutMs?: number;
  /**
   * The duration of a reconcile run after which a warning is logged, once per run, in milliseconds.
   * The warning says that the run is still in progress and when it will be aborted. Also the
   * duration after which a call of a mapping function is reported. `Infinity`, or a value above
   * `timeoutMs`, disables the warnings.
   *
   * @default {30_000}
   */
  readonly warnAfterMs?: number;
  /**
   * The time from the abort of a reconcile run's signal in which the run has to settle, in
   * milliseconds. After that time the run is reported as stuck and its worker takes another key;
   * the key of a stuck run is not run again until the run settles.
   *
   * @default {5_000}
   */
  readonly abortGraceMs?: number;
  /**
   * The time that the controller's caches have to sync at the start, in milliseconds. When that
   * time is over, the start fails, unless `RunOperatorOptions.missingResources` is `wait` and the
   * server lacks the resource of every cache that has not synced.
   *
   * @default {120_000}
   */
  readonly syncTimeoutMs?: number;
  /**
   * The maximum time that a key waits for the cache to show the writes of its last reconcile run,
   * in milliseconds. When that time is over, the key runs anyway, and a warning is logged.
   *
   * @default {30_000}
   */
  readonly staleCacheTimeoutMs?: number;
  /**
   * The interval at which every cached object of the controller's own resource is reconciled
   * although nothing changed, in milliseconds; at least 1000, or 0 for never. The runs find changes
   * that cause no event, such as those outside of the cluster. Predicates that require a change
   * drop these events.
   *
   * @default {0}
   */
  readonly resyncPeriodMs?: number;
  /**
   * The rule that assigns keys to tenants, which share the workers fairly: keys of one priority are
   * taken from the tenants in turns, so that a tenant with many objects does not delay the others.
   * Either `"namespace"`, by which each namespace is a tenant, or a function that returns the name
   * of a key's tenant and depends on the key alone.
   *
   * @default none: first come, first served
   */
  readonly fairBy?: "namespace" | ((key: ObjectKey) => string);
  /**
   * The weights of the tenants of `fairBy` by name, each at least 1: the number of keys that
   * workers take from a tenant in each of its turns, such as `{ production: 4 }`. A tenant that is
   * not named has the weight 1. Requires `fairBy`.
   *
   * @default none: all tenants have equal shares
   */
  readonly fairWeights?: Readonly<Record<string, number>>;
  /**
   * The time in the queue after which a key of low priority counts as aged, in milliseconds: every
   * fourth run takes an aged key, if there is one. The keys of first lists and resyncs have a low
   * priority, so that keys of changes go before them. `Infinity` for never.
   *
   * @default {10_000}
   */
  readonly agingMs?: number;
  /**
   * The number of consecutive runs of a key within a minute, each caused only by the previous run
   * (its write, or its request for another run at once), after which the key is reported as a hot
   * loop and slowed; at least 2. `Infinity` for never.
   *
   * @default {20}
   */
  readonly hotLoopRuns?: number;
  /**
   * The component that the controller's events name as their source: a qualified name, such as
   * `example.org/greeter` (`EventSource` of core/v1). The column `From` of `kubectl describe` shows
   * the component.
   *
   * @default {the name of the controller}
   */
  readonly eventSource?: string;
  /**
   * Returns the rate limiter that decides how long a key waits after a failed reconcile run; called
   * once per controller.
   *
   * @default `RecoveringLimiter`: 5 ms, doubled per failure up to 1000 s, and 10 retries a second
   * over all keys after a burst of 100, as in controller-runtime; each success of a key that had
   * failed lets two other keys retry as soon as their own back-off is over
   */
  readonly rateLimiter?: (ports: RateLimiterPorts) => RateLimiter<ObjectKey>;
}

/**
 * Dependencies of a controller's rate limiter; the argument of {@linkcode
 * ControllerOptions.rateLimiter}.
 */
export interface RateLimiterPorts {
  /** The clock of the controller. */
  readonly clock: Clock;
  /** The random number source of the controller. */
  readonly random: Random;
}

/**
 * Options of a controller's source: the objects of a resource that the controller sees, and the
 * events that matter to it.
 */
export interface SourceOptions<T extends KubeObject = KubeObject> {
  /**
   * The predicates of the source: an event leads to a reconcile run only if it passes all of them.
   *
   * @default none
   */
  readonly predicates?: readonly Predicate<T>[];
  /**
   * The label selector of the source, such as `app=web,tier!=db`: restricts watch and cache to
   * matching objects.
   *
   * @default all
   */
  readonly labelSelector?: string;
  /**
   * The field selector of the source, such as `metadata.name=web`: restricts watch and cache to
   * matching objects.
   *
   * Only the server can judge whether a new object matches a field other than `metadata.name` and
   * `metadata.namespace`. So a key that created such an object does not wait until the cache shows
   * it, and may create it twice: derive its name from the key, or use a label selector. The
   * controller logs a warning of this at its start.
   *
   * @default all
   */
  readonly fieldSelector?: string;
  /**
   * The namespaces of the source: restricts watch and cache to these namespaces, in place of those
   * that the operator watches. At least one; not permitted for a cluster-scoped resource. A manager
   * refuses namespaces that its cache choice for the resource leaves out.
   *
   * @default the operator's namespace, or all
   */
  readonly namespaces?: readonly string[];
  /**
   * Index functions of the source by name, for `cache.byIndex()` of the controller. Each function
   * returns the values under which an index lists an object, depends on the object alone, and is
   * called once per version of the object.
   *
   * @default none
   */
  readonly indexes?: Readonly<Record<string, IndexFunc<T>>>;
  /**
   * A function that changes each object of the source before it is cached, for instance to drop
   * large fields that are never read: readers of the cache see only the returned object. The
   * function must keep name, namespace, UID and resourceVersion. All controllers of an operator
   * that watch the same objects must use the same function, and so must the readers of a manager:
   * there, a transform belongs into `ManagerOptions.caches`. When the function throws, an earlier
   * cached version stays; without one, reads whose result would lack the object throw, and the
   * object counts as failed.
   *
   * @default none
   */
  readonly transform?: (object: T) => T;
}

/**
 * A source of a controller: a resource whose events lead to reconcile runs. The methods of
 * {@linkcode ControllerBuilder} make the value.
 */
export interface SourceDefinition<T extends KubeObject = KubeObject> extends SourceOptions<T> {
  /** The builder method that declared the source. */
  readonly relation: "for" | "owns" | "watches";
  /** The resource that the source watches. */
  readonly type: ResourceType<T>;
  /**
   * The predicates of the source: an event leads to a reconcile run only if it passes all of them.
   */
  readonly predicates: readonly Predicate<T>[];
  /**
   * The function that maps an object of the source to the keys to reconcile; not called for the
   * source `for`, whose objects are mapped to their own keys.
   */
  readonly map: MapFunction<T>;
}

/** A controller as data: built by {@linkcode controllerFor}, run by `runOperator`. Immutable. */
export interface ControllerDefinition {
  /**
   * The name of the controller, unique within the operator. Every log record of the controller
   * carries the name.
   */
  readonly name: string;
  /** The resource whose objects the controller reconciles. */
  readonly type: ResourceType;
  /** The sources of the controller: its own resource first, then owned and watched ones. */
  readonly sources: readonly SourceDefinition[];
  /**
   * The external sources of the controller: functions that queue keys after changes outside of the
   * cluster.
   *
   * @default none
   */
  readonly externalSources?: readonly ExternalSourceDefinition[];
  /** The options of the controller, without defaults. */
  readonly options: ControllerOptions;
  /**
   * The API calls that the controller declares in addition to the watches of its sources.
   *
   * @default none
   */
  readonly uses?: readonly ResourceUse[];
  /** The reconciler of the controller. */
  readonly reconcile: Reconciler;
}
