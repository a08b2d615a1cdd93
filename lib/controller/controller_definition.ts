import type { Clock, Random } from "@xca/apimachinery/base";
import type { KubeObject, ObjectKey, ResourceType } from "@xca/apimachinery/meta";
import type { IndexFunc } from "../cache/store/index_table.ts";
import type { RateLimiter } from "../workqueue/rate_limiter.ts";
import type { MapFunction } from "./mapping.ts";
import type { Predicate } from "./predicate.ts";
import type { Reconciler } from "./reconciler.ts";

/** How a controller runs. */
export interface ControllerOptions {
  /** How many keys are reconciled at once. @default {1} */
  readonly workers?: number;
  /**
   * How long one run may take, in milliseconds; then its signal is aborted and the run counts as
   * failed. `Infinity`: as long as it likes.
   *
   * @default {600_000}
   */
  readonly timeoutMs?: number;
  /**
   * How long one run may take, in milliseconds, before a warning says that it is still running and
   * when it will be aborted; once a run. `Infinity`: no warning.
   *
   * @default {30_000}
   */
  readonly warnAfterMs?: number;
  /**
   * How long an aborted run may take to settle, in milliseconds, before it is reported as stuck: its
   * worker then takes another key. The stuck key itself is not run again until its run settles.
   *
   * @default {5_000}
   */
  readonly abortGraceMs?: number;
  /**
   * How long the caches may take to sync at the start, in milliseconds; then the start fails.
   *
   * @default {120_000}
   */
  readonly syncTimeoutMs?: number;
  /**
   * How long a key waits for the cache to show what its last run wrote, in milliseconds; then it runs
   * nevertheless, with a warning.
   *
   * @default {30_000}
   */
  readonly staleCacheTimeoutMs?: number;
  /**
   * Every so many milliseconds each object is reconciled again although nothing changed, 0 for never;
   * from 1 second on. For what no event tells: drift in a place that is not watched. A predicate that
   * asks for a change leaves these runs out.
   *
   * @default {0}
   */
  readonly resyncPeriodMs?: number;
  /**
   * Makes the limiter that decides how long a failed key waits.
   *
   * @default `RecoveringLimiter`: 5 ms doubled at each failure up to 1000 s, and 10 a second over all
   * keys after a burst of 100, as controller-runtime has it; but each success of a key that had failed
   * lets two others through at once
   */
  readonly rateLimiter?: (ports: RateLimiterPorts) => RateLimiter<ObjectKey>;
}

/** What a rate limiter is made with. */
export interface RateLimiterPorts {
  /** Where the controller's time comes from. */
  readonly clock: Clock;
  /** Where the controller's chance comes from. */
  readonly random: Random;
}

/** Which objects of a resource a controller sees, and which of their events matter to it. */
export interface SourceOptions<T extends KubeObject = KubeObject> {
  /** Events must pass all of them. @default none */
  readonly predicates?: readonly Predicate<T>[];
  /** Only objects with these labels are watched and cached. @default all */
  readonly labelSelector?: string;
  /**
   * Only objects with these fields are watched and cached.
   *
   * Only the server can judge whether a new object matches a field other than `metadata.name` and
   * `metadata.namespace`. So a key that created one is not held back until the cache shows it, and may
   * create it once more: derive its name from the key, or use a label selector. The controller logs a
   * warning of this at its start.
   *
   * @default all
   */
  readonly fieldSelector?: string;
  /**
   * Only objects of these namespaces are watched and cached, instead of those that the operator watches.
   *
   * @default the operator's namespace, or all
   */
  readonly namespaces?: readonly string[];
  /**
   * Index functions by name, for `cache.byIndex()`: they say under which values an object is filed. Each
   * must depend on the object alone, and is asked once per version of it.
   *
   * @default none
   */
  readonly indexes?: Readonly<Record<string, IndexFunc<T>>>;
  /**
   * Changes each object before it is cached, to leave out what takes memory and is not read: everyone who
   * reads the cache sees only what it returns. It must keep name, namespace, UID and resourceVersion. All
   * controllers of an operator that watch the same objects must have the same one.
   *
   * @default none
   */
  readonly transform?: (object: T) => T;
}

/** One resource whose events lead to reconcile runs. */
export interface SourceDefinition<T extends KubeObject = KubeObject> extends SourceOptions<T> {
  /** Why the controller sees it. */
  readonly relation: "for" | "owns" | "watches";
  /** The resource. */
  readonly type: ResourceType<T>;
  /** Events must pass all of them. */
  readonly predicates: readonly Predicate<T>[];
  /** From an object to the keys to reconcile. */
  readonly map: MapFunction<T>;
}

/** A controller as data: what {@linkcode controllerFor} builds and `runOperator` runs. Immutable. */
export interface ControllerDefinition {
  /** Unique within the operator; in every log line. */
  readonly name: string;
  /** The resource that the controller is for. */
  readonly type: ResourceType;
  /** The resource itself first, then what the controller owns and watches. */
  readonly sources: readonly SourceDefinition[];
  /** How it runs. */
  readonly options: ControllerOptions;
  /** What it does. */
  readonly reconcile: Reconciler;
}
