import type { ObjectKey } from "@xca/apimachinery/meta";
import type { FailingKey, ScheduledKey } from "./key_states.ts";

/** Maximum number of entries of each list of a report; the counts of the report are complete. */
export const REPORT_ENTRIES = 100;

/** The part of an operator that a report is about. */
export interface ReportQuery {
  /** The name of the controller. @default all */
  readonly controller?: string | undefined;
  /** The key that the report explains, as `namespace/name`. @default none */
  readonly key?: ObjectKey | undefined;
}

/**
 * The state of a controller.
 *
 * - `new`: not started; `syncing`: it waits for its caches.
 * - `standby`: its caches are complete, and it waits until this process leads.
 * - `working`, `stopping`, `stopped`.
 */
export type ControllerStage = "new" | "syncing" | "standby" | "working" | "stopping" | "stopped";

/** A source of a controller. */
export interface SourceReport {
  /** The method that declared the source. */
  readonly relation: "for" | "owns" | "watches";
  /** The id of the resource. */
  readonly resource: string;
  /** The watched namespaces; empty for all. */
  readonly namespaces: readonly string[];
  /** The label selector; empty for all objects. */
  readonly labelSelector: string;
  /** The field selector; empty for all objects. */
  readonly fieldSelector: string;
  /** The names of the predicates. */
  readonly predicates: readonly string[];
}

/** A key that is queued for a worker. */
export interface QueuedKeyReport {
  /** The key. */
  readonly key: ObjectKey;
  /** The priority of the key. */
  readonly priority: number;
  /** The number of keys before it. */
  readonly position: number;
}

/** A run in progress. */
export interface RunReport {
  /** The key. */
  readonly key: ObjectKey;
  /** The id of the run in the log. */
  readonly reconcileID: string;
  /** The number of the attempt. */
  readonly attempt: number;
  /** The duration of the run so far, in milliseconds. */
  readonly forMs: number;
  /** The state of the run; `stuck` when it ignores its aborted signal. */
  readonly state: "running" | "aborted" | "stuck";
}

/** A key whose runs cause each other. */
export interface HotLoopReport {
  /** The number of runs in a row. */
  readonly runs: number;
  /** The time between two runs, in milliseconds. */
  readonly delayMs: number;
  /** The fields that change with each run; empty when the reconciler requests the runs. */
  readonly fields: readonly string[];
}

/** An event that led to a key, or was dropped. */
export interface EventReport {
  /** The method that declared the source of the event. */
  readonly relation: "for" | "owns" | "watches";
  /** The id of the resource of the object. */
  readonly resource: string;
  /** The kind of event; `listed` for an object of the first list. */
  readonly event: "listed" | "added" | "updated" | "deleted" | "resync";
  /** The key of the object. */
  readonly object: ObjectKey;
  /** The version of the object. */
  readonly resourceVersion: string;
  /** The time since the event, in milliseconds. */
  readonly agoMs: number;
}

/** The state of one key of a controller: its place in the queue, its runs and its events. */
export interface KeyReport {
  /** The key. */
  readonly key: ObjectKey;
  /** Whether the cache holds the object. */
  readonly cached: boolean;
  /** Whether the namespace of the key is watched. */
  readonly watched: boolean;
  /** The position in the queue, when the key is queued. */
  readonly queued?: QueuedKeyReport;
  /** The time until the key is queued, in milliseconds, when it waits for a time. */
  readonly scheduledInMs?: number;
  /** The writes that the cache must show before the key runs, when the key waits for them. */
  readonly awaitedWrites?: readonly string[];
  /** The run in progress. */
  readonly running?: RunReport;
  /** The failure of the last run. */
  readonly failure?: FailingKey & { readonly terminal: boolean };
  /** The loop, when the key's runs cause each other. */
  readonly hotLoop?: HotLoopReport;
  /** The last run that is remembered. */
  readonly lastRun?: { readonly outcome: string; readonly forMs: number; readonly agoMs: number };
  /** The last reason to queue the key that is remembered. */
  readonly lastEnqueued?: EventReport | { readonly requeue: string; readonly agoMs: number };
  /** The last event of the key's own object that a predicate dropped, if it is remembered. */
  readonly lastDropped?: EventReport & { readonly predicate: string };
}

/** The state of one controller. Lists have {@linkcode REPORT_ENTRIES} entries at most. */
export interface ControllerReport {
  /** The name of the controller. */
  readonly controller: string;
  /** The resource that the controller is for. */
  readonly resource: {
    readonly id: string;
    readonly group: string;
    readonly version: string;
    readonly kind: string;
    readonly plural: string;
    readonly namespaced: boolean;
  };
  /** The stage of the controller. */
  readonly stage: ControllerStage;
  /** The number of workers. */
  readonly workers: number;
  /** The sources. */
  readonly sources: readonly SourceReport[];
  /** The numbers of keys. */
  readonly counts: {
    /** Keys that wait for a worker. */
    readonly queued: number;
    /** Keys that wait for a time. */
    readonly scheduled: number;
    /** Keys that wait until the cache shows their last writes. */
    readonly awaitingCache: number;
    /** Keys being reconciled, stuck ones included. */
    readonly running: number;
    /** Keys whose last run failed, and objects whose events could not be mapped. */
    readonly failing: number;
    /** Keys whose last events and runs are remembered, of 4 096 at most. */
    readonly remembered: number;
  };
  /** The queued keys, the next one first. */
  readonly queue: readonly QueuedKeyReport[];
  /** The keys that wait for a time, the soonest first. */
  readonly scheduled: readonly ScheduledKey[];
  /** The runs in progress. */
  readonly runs: readonly RunReport[];
  /** The keys whose last run failed, and the objects whose events could not be mapped. */
  readonly failing: readonly FailingKey[];
  /** The state of the key that the query names. */
  readonly key?: KeyReport;
}

/** The state of one cache: of one resource, namespace and selectors. */
export interface CacheReport {
  /** The id of the resource. */
  readonly resource: string;
  /** The namespace; empty for all. */
  readonly namespace: string;
  /** The label selector; empty for all objects. */
  readonly labelSelector: string;
  /** The field selector; empty for all objects. */
  readonly fieldSelector: string;
  /** Whether the cache holds the first list. */
  readonly synced: boolean;
  /** The number of objects. */
  readonly objects: number;
  /** The size of the objects as they are kept, in bytes. */
  readonly bytes?: number;
  /** The size of the memory that holds them, in bytes. */
  readonly allocatedBytes?: number;
  /** The health of the watch. */
  readonly watch: {
    readonly state?: string;
    /** The failure that lasts. */
    readonly failing?: { readonly kind: string; readonly message: string };
    readonly resourceVersion?: string;
    /** The time since the last answer, event or bookmark, in milliseconds. */
    readonly heardAgoMs?: number;
    readonly restarts?: number;
    readonly failures?: number;
    readonly events?: number;
    readonly undecodable?: number;
  };
  /** The shares of the largest fields in the text of a sample, between 0 and 1. */
  readonly shares: Readonly<Record<string, number>>;
  /** The ways to make the cache smaller. */
  readonly advice: readonly string[];
}

/** The state of an operator, as `/debug` serves it. */
export interface OperatorReport {
  /** The name of the operator. */
  readonly operator: string;
  /** The controllers. */
  readonly controllers: readonly ControllerReport[];
  /** The caches, each once. */
  readonly caches: readonly CacheReport[];
}
