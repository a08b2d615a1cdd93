import type { Clock } from "@xca/apimachinery/base";
import type { ObjectKey } from "@xca/apimachinery/meta";
import type { RateLimitingQueue } from "@xca/apimachinery/workqueue";
import type { ActiveRun } from "./active_run.ts";
import type { ControllerDefinition } from "../definition/controller_definition.ts";
import type { FailureLog } from "../log/run_log.ts";
import type { HotLoops } from "./hot_loops.ts";
import type { KeyBook } from "./key_book.ts";
import type { KeyHistories } from "./key_histories.ts";
import type { Outcome } from "./reconcile_run.ts";
import { isOwnNamespaceTerminating } from "../log/terminating_namespace.ts";

/**
 * Minimum delay of a run that a reconciler requests by `requeueAfterMs`, in milliseconds. With 0
 * the queue would never become empty.
 */
const MIN_REQUEUE_MS = 1;

/** The outcome of a failed reconcile run that is retried. */
type Failed = Extract<Outcome, { readonly type: "error" }>;

/** The parts of a controller that {@linkcode decideNextRun} uses. */
export interface NextRunPorts {
  /** The definition of the controller. */
  readonly definition: ControllerDefinition;
  /** The work queue of the controller's keys. */
  readonly queue: RateLimitingQueue<ObjectKey>;
  /** The record of failing keys. */
  readonly book: KeyBook;
  /** The record of the last events and runs of each key. */
  readonly histories: KeyHistories;
  /** The detector of keys whose runs cause each other. */
  readonly loops: HotLoops;
  /** The log of failed runs. */
  readonly failures: FailureLog;
  /** The clock for the times of retries. */
  readonly clock: Clock;
}

/** Requeues, retries or forgets a key after its reconcile run, depending on the outcome. */
export function decideNextRun(ports: NextRunPorts, active: ActiveRun, outcome: Outcome): void {
  const { queue, book, histories, loops, failures, clock } = ports;
  const { lease, log } = active;
  const { key } = lease;
  switch (outcome.type) {
    case "done":
      book.succeeded(key);
      queue.forget(key);
      break;
    case "requeueAfter":
      book.succeeded(key);
      queue.forget(key);
      histories.requeued(key, "requeueAfter", clock.monotonicMs());
      loops.requeued(key, outcome.ms);
      queue.addAfter(key, Math.max(MIN_REQUEUE_MS, outcome.ms), lease);
      break;
    case "error":
      retry(ports, active, outcome);
      break;
    case "terminal":
      book.failed(key, outcome.error, { terminal: true, atMs: clock.monotonicMs() });
      failures.terminal(log, outcome.error);
      break;
    case "aborted":
      log.debug("Reconcile was aborted because the operator stops");
  }
}

function retry(
  { definition, queue, book, histories, loops, failures, clock }: NextRunPorts,
  { lease, attempt, log }: ActiveRun,
  { error, retryInMs }: Failed,
): void {
  const { key } = lease;
  if (isOwnNamespaceTerminating(error, definition.type, key)) {
    book.succeeded(key);
    queue.forget(key);
    return log.info("The namespace of {key} is being deleted, nothing more to do", { key });
  }
  const atMs = clock.monotonicMs();
  histories.requeued(key, "retry", atMs);
  loops.failed(key);
  if (!retryInMs) queue.addRateLimited(key, lease);
  else queue.addAfter(key, retryInMs, lease);
  const readyAtMs = queue.readyAtMs(key) ?? clock.monotonicMs();
  const nextTryInMs = Math.round(readyAtMs - clock.monotonicMs());
  const limitedMs = definition.options.rateLimiter && nextTryInMs;
  book.failed(key, error, { terminal: false, retryInMs, limitedMs, atMs });
  failures.retrying(log, error, { attempt, nextTryInMs });
}
