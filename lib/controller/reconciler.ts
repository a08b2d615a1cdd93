import type { Clock, Random } from "@xca/apimachinery/base";
import type { ObjectKey } from "@xca/apimachinery/meta";
import type { Client } from "../client/typed/client.ts";
import type { CacheReader } from "../cache/readers/cache_reader.ts";
import type { LoggerLike } from "./logger_like.ts";

/** What a reconcile run is given. */
export interface ReconcileContext {
  /** The object to reconcile: `namespace/name`, or `name` when cluster-scoped. It may be gone. */
  readonly key: ObjectKey;
  /** The object's namespace; empty when cluster-scoped. */
  readonly namespace: string;
  /** The object's name. */
  readonly name: string;
  /**
   * The client of this run. Its calls end when `signal` aborts, and after that it starts no write.
   * Its writes are remembered: this key is not reconciled again on a cache that is older than them. Not
   * remembered are writes through `request`, `requestJson` and `raw`, and the deletion of a collection
   * by a field selector on fields other than `metadata.name` and `metadata.namespace`.
   */
  readonly client: Client;
  /** The cache of every resource that this controller is for, owns or watches. Never asks the server. */
  readonly cache: CacheReader;
  /** Aborted when the run's time is up, or when the operator stops and its grace period is over. */
  readonly signal: AbortSignal;
  /** Logs with `controller`, `namespace`, `name` and `reconcileID` on each line. */
  readonly log: LoggerLike;
  /** Tells this run from every other in the logs. */
  readonly reconcileID: string;
  /** 1 on the first try, 2 after one failure, and so on; 1 again after a run that did not fail. */
  readonly attempt: number;
  /** Where the controller's time comes from. */
  readonly clock: Clock;
  /** Where the controller's chance comes from. */
  readonly random: Random;
}

/** Asks for another run although nothing changes. */
export interface RequeueAfter {
  /** In how many milliseconds, at least 0. An event may bring the run forward. */
  readonly requeueAfterMs: number;
}

/**
 * Brings the world nearer to what one object asks for.
 *
 * It gets a key, not an event: it reads what is there now and acts on the difference, so that it may
 * run twice, or run late, without harm. Its outcomes:
 *
 * - it returns nothing: done, and earlier failures of the key are forgotten;
 * - it returns `{ requeueAfterMs }`: the same, and the key runs again after that time;
 * - it returns anything else: a mistake of the program, which counts as failed, as if it threw;
 * - it throws: the key runs again after a back-off that grows with each failure in a row;
 * - it throws {@linkcode RetryAfterError} (`retryAfter()`): the same, but after the time that it says;
 * - it throws {@linkcode TerminalError}: logged, and not run again until something changes.
 */
export type Reconciler = (
  context: ReconcileContext,
  // A reconciler that returns nothing is the common case, so `void` belongs here.
) => void | RequeueAfter | Promise<void | RequeueAfter>;
