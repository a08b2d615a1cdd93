import type { ObjectKey } from "@xca/apimachinery/meta";
import type { FailingKey, ScheduledKey } from "./key_states.ts";

/**
 * Maximum number of entries of each list of keys or runs in a {@linkcode ControllerReport}; the
 * counts include the omitted entries.
 */
export const REPORT_ENTRIES = 100;

/** The argument of {@linkcode OperatorHandle.report}: the controller and the key to report on. */
export interface ReportQuery {
  /**
   * The name of the controller that the report is about; an unknown name gives a report without
   * controllers.
   *
   * @default all
   */
  readonly controller?: string | undefined;
  /**
   * The object key that the report explains: `namespace/name`, or `name` when cluster-scoped.
   *
   * @default none
   */
  readonly key?: ObjectKey | undefined;
}

/**
 * The stage of a controller in a report.
 *
 * - `new`: not started; `syncing`: it waits for its caches.
 * - `standby`: its caches are complete, and it waits until this process leads.
 * - `working`: it reconciles; `stopping`: no run starts, and runs in progress end; `stopped`: it
 *   has ended.
 */
export type ControllerStage = "new" | "syncing" | "standby" | "working" | "stopping" | "stopped";

/** The report on one source of a controller. */
export interface SourceReport {
  /** The builder method that declared the source. */
  readonly relation: "for" | "owns" | "watches";
  /** The id of the source's resource. */
  readonly resource: string;
  /** The namespaces that the source watches; empty for all, and for a cluster-scoped resource. */
  readonly namespaces: readonly string[];
  /** The label selector of the source; empty for all objects. */
  readonly labelSelector: string;
  /** The field selector of the source; empty for all objects. */
  readonly fieldSelector: string;
  /**
   * The names of the source's predicates, in order; of one without a name its position, such as
   * `number 2`.
   */
  readonly predicates: readonly string[];
}

/** The report on a key that is queued for a worker. */
export interface QueuedKeyReport {
  /** The queued key. */
  readonly key: ObjectKey;
  /**
   * The priority of the queued key: 0 for keys of changes, -100 for keys of first lists and resyncs
   * and for their retries. Higher priorities go first.
   */
  readonly priority: number;
  /** The number of keys in the queue before the queued key; 0 for the next. */
  readonly position: number;
}

/** The report on a reconcile run in progress. */
export interface RunReport {
  /** The key that the run reconciles. */
  readonly key: ObjectKey;
  /** The id of the reconcile run in the log. */
  readonly reconcileID: string;
  /** The number of the reconcile attempt: 1, or one more than the key's failures in a row. */
  readonly attempt: number;
  /** The time since the start of the reconcile run, in milliseconds. */
  readonly forMs: number;
  /**
   * The state of the reconcile run: `running` before the abort of its signal, `aborted` after the
   * abort, `stuck` when it has not settled within the controller's `abortGraceMs` after the abort.
   */
  readonly state: "running" | "aborted" | "stuck";
}

/** The report on a hot loop: a key whose reconcile runs cause each other. */
export interface HotLoopReport {
  /** The number of runs of the hot loop in a row so far. */
  readonly runs: number;
  /** The delay of the hot loop's next run after the end of the last, in milliseconds. */
  readonly delayMs: number;
  /**
   * The fields, at most five, that the last observed write of the hot loop changed, such as
   * `Deployment default/web: spec.replicas`; empty when the reconciler requests the runs.
   */
  readonly fields: readonly string[];
}

/** The report on an event that led to a key, or that a predicate dropped. */
export interface EventReport {
  /** The builder method that declared the source of the event. */
  readonly relation: "for" | "owns" | "watches";
  /** The resource id of the event's object. */
  readonly resource: string;
  /**
   * The kind of the reported event: `listed` for an object that existed when the controller's event
   * handler was added, `resync` for an update event whose two versions have the same
   * resourceVersion.
   */
  readonly event: "listed" | "added" | "updated" | "deleted" | "resync";
  /** The key of the event's object. */
  readonly object: ObjectKey;
  /** The resourceVersion of the event's object. */
  readonly resourceVersion: string;
  /** The time from the reported event to the report, in milliseconds. */
  readonly agoMs: number;
}

/** The report on one key of a controller: its position in the queue, its runs and its events. */
export interface KeyReport {
  /** The key that the report explains. */
  readonly key: ObjectKey;
  /**
   * Reports whether the controller's cache has the object of the key, of the controller's own
   * resource.
   */
  readonly cached: boolean;
  /** Reports whether the controller's own resource is watched in the namespace of the key. */
  readonly watched: boolean;
  /** The report on the queued key; absent if the key is not queued. */
  readonly queued?: QueuedKeyReport;
  /**
   * The time from the report until the delayed key is queued, in milliseconds, 0 if that is due;
   * absent if the key is not delayed.
   */
  readonly scheduledInMs?: number;
  /**
   * The resource ids and keys of the objects whose writes the cache must show before the key runs,
   * such as `pods.v1 default/web`; absent if the key does not wait for the cache.
   */
  readonly awaitedWrites?: readonly string[];
  /** The report on the key's reconcile run in progress; absent if there is none. */
  readonly running?: RunReport;
  /**
   * The failure of the key's last reconcile run, or of decoding or transforming the key's object;
   * absent if neither failed. `terminal` reports whether the run failed terminally or is stuck, so
   * that no retry is scheduled; false for an object that could not be decoded or transformed.
   */
  readonly failure?: FailingKey & { readonly terminal: boolean };
  /** The hot loop of the key, whose runs cause each other; absent if the key is in none. */
  readonly hotLoop?: HotLoopReport;
  /**
   * The last reconcile run of the key that has ended: the type of its outcome (`done`,
   * `requeueAfter`, `error`, `terminal`, `aborted`), its duration and the time from its end to the
   * report, in milliseconds; absent if no run is remembered.
   */
  readonly lastRun?: { readonly outcome: string; readonly forMs: number; readonly agoMs: number };
  /**
   * The reason why the key was last queued, or will be after its delay: an event, or (`requeue`)
   * `retry`, `requeueAfter`, `cacheCaughtUp` or `externalSource`, and the time from then to the
   * report in milliseconds; absent if that is no longer remembered.
   */
  readonly lastEnqueued?: EventReport | { readonly requeue: string; readonly agoMs: number };
  /**
   * The last event of the key's own object that a predicate dropped, with the name of the
   * predicate; absent if none is remembered.
   */
  readonly lastDropped?: EventReport & { readonly predicate: string };
}

/**
 * The report on one controller. Lists of keys and runs have at most {@linkcode REPORT_ENTRIES}
 * entries.
 */
export interface ControllerReport {
  /** The name of the reported controller. */
  readonly controller: string;
  /** The resource that the reported controller is for. */
  readonly resource: {
    readonly id: string;
    readonly group: string;
    readonly version: string;
    readonly kind: string;
    readonly plural: string;
    readonly namespaced: boolean;
  };
  /** The stage of the reported controller at the moment of the report. */
  readonly stage: ControllerStage;
  /** The configured number of the controller's workers. */
  readonly workers: number;
  /**
   * The reports on the controller's sources, in the order of their declaration; external sources
   * are left out.
   */
  readonly sources: readonly SourceReport[];
  /** The numbers of the controller's keys by state. */
  readonly counts: {
    /** Number of the controller's keys that wait for a worker. */
    readonly queued: number;
    /** Number of the controller's keys whose next run is scheduled, failing ones included. */
    readonly scheduled: number;
    /** Number of the controller's keys that wait until the cache shows their last writes. */
    readonly awaitingCache: number;
    /** Number of the controller's keys being reconciled, stuck ones included. */
    readonly running: number;
    /**
     * Number of failing keys, of objects that could not be mapped, decoded or transformed, and of
     * failing external sources.
     */
    readonly failing: number;
    /** Number of keys whose last events and runs are remembered, of 4 096 at most. */
    readonly remembered: number;
  };
  /** The queued keys of the controller, the next one first. */
  readonly queue: readonly QueuedKeyReport[];
  /**
   * The keys of the controller whose next run is scheduled, except failing ones, the soonest first.
   */
  readonly scheduled: readonly ScheduledKey[];
  /** The reconcile runs of the controller in progress, stuck ones included. */
  readonly runs: readonly RunReport[];
  /**
   * The keys of the controller whose last run failed or is stuck, the objects whose events could
   * not be mapped, or that could not be decoded or transformed, and the failing external sources.
   */
  readonly failing: readonly FailingKey[];
  /** The report on the key that the query names; absent if the query names none. */
  readonly key?: KeyReport;
}

/** The report on the cache of one informer: of one resource, namespace and selectors. */
export interface CacheReport {
  /** The id of the cached resource. */
  readonly resource: string;
  /** The cached namespace; empty for all, and for a cluster-scoped resource. */
  readonly namespace: string;
  /** The label selector of the cache; empty for all objects. */
  readonly labelSelector: string;
  /** The field selector of the cache; empty for all objects. */
  readonly fieldSelector: string;
  /** Reports whether the cache has received the complete first list. */
  readonly synced: boolean;
  /** The number of cached objects. */
  readonly objects: number;
  /** The size of the cached objects in their stored form, in bytes; absent if not known. */
  readonly bytes?: number;
  /**
   * The size of the memory that is allocated for the cached objects, in bytes; absent if not known.
   */
  readonly allocatedBytes?: number;
  /**
   * The health of the cache's watch, as far as the informer reports it; the counts are since the
   * informer's creation.
   */
  readonly watch: {
    readonly state?: string;
    /** The current failure of the cache's watch; absent while the watch works. */
    readonly failing?: { readonly kind: string; readonly message: string };
    readonly resourceVersion?: string;
    /**
     * The time from the last completed list, accepted watch, event or bookmark to the report, in
     * milliseconds; absent before the first.
     */
    readonly heardAgoMs?: number;
    readonly restarts?: number;
    readonly failures?: number;
    readonly events?: number;
    readonly undecodable?: number;
  };
  /**
   * The shares of the largest fields in the JSON text of the first 20 cached objects, between 0 and
   * 1, by field, such as `spec` or `metadata.managedFields`, the largest first; shares below 0.02
   * are left out.
   */
  readonly shares: Readonly<Record<string, number>>;
  /** Advice on how to make the cache smaller, one sentence per entry; empty if there is none. */
  readonly advice: readonly string[];
}

/**
 * The report on an operator, as {@linkcode OperatorHandle.report} returns it and `/debug` serves
 * it.
 */
export interface OperatorReport {
  /** The name of the reported operator. */
  readonly operator: string;
  /** The reports on the operator's controllers, or on the one that the query names. */
  readonly controllers: readonly ControllerReport[];
  /** The reports on the caches of the reported controllers, each once. */
  readonly caches: readonly CacheReport[];
}
