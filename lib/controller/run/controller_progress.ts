import type { ObjectKey } from "@xca/apimachinery/meta";
import type { LiveList } from "@xca/apimachinery/internal/base";
import type { ActiveRun } from "./active_run.ts";
import type { RateLimitingQueue } from "@xca/apimachinery/workqueue";
import type { KeyBook } from "./key_book.ts";
import type { FailingKey, OperatorProgress, ScheduledKey } from "../ports/operator_progress.ts";

/**
 * The live state of a controller from which {@linkcode progressOf} and {@linkcode scheduledOf}
 * compute its progress.
 */
export interface ControllerState {
  /** The name of the controller. */
  readonly controller: string;
  /** The work queue of the controller. */
  readonly queue: RateLimitingQueue<ObjectKey>;
  /** The record of the controller's initial and failing keys. */
  readonly book: KeyBook;
  /** The controller's reconcile runs in progress, stuck ones included. */
  readonly active: LiveList<ActiveRun>;
  /** The number of keys that wait for the cache to show their writes. */
  readonly held: number;
  /**
   * The objects whose events could not be mapped to keys, or that could not be decoded or
   * transformed, and the failing external sources.
   */
  readonly unmapped: readonly FailingKey[];
  /** The current time on the monotonic clock, in milliseconds. */
  readonly nowMs: number;
}

/**
 * Returns the progress of a controller: the numbers of keys by state, the failing keys, and the
 * stuck runs.
 */
export function progressOf(state: ControllerState): OperatorProgress {
  const { controller, queue, book, active, held, unmapped, nowMs } = state;
  const nextTryInMs = (key: ObjectKey): number | undefined => {
    const readyAtMs = queue.readyAtMs(key);
    return readyAtMs === undefined ? undefined : Math.max(0, readyAtMs - nowMs);
  };
  const failing = [...book.failing].map(([key, { error, attempts }]) => ({
    controller,
    key,
    error,
    attempts,
    nextTryInMs: nextTryInMs(key),
  }));
  const stuck = [...active].filter(({ run }) => run.state === "stuck");
  return {
    initialKeys: book.initialKeys,
    ran: book.initialKeys - book.awaited,
    queued: queue.len,
    processing: active.size,
    delayed: queue.waiting + held,
    failing: [...failing, ...unmapped],
    stuck: stuck.map(({ run, lease: { key }, reconcileID }) => ({
      controller,
      key,
      reconcileID,
      forMs: nowMs - run.startedMs,
    })),
  };
}

/**
 * Returns the keys of a controller that wait in the queue for a time, except failing ones, the
 * first that is due first.
 */
export function scheduledOf(
  { controller, queue, book, nowMs }: Pick<
    ControllerState,
    "controller" | "queue" | "book" | "nowMs"
  >,
): ScheduledKey[] {
  return queue.waitingKeys().filter((key) => !book.failing.has(key)).map((key) => ({
    controller,
    key,
    inMs: Math.max(0, (queue.readyAtMs(key) ?? nowMs) - nowMs),
  }));
}
