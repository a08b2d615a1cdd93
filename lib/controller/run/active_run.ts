import type { Logger } from "@logtape/logtape";
import type { KeyLease } from "@xca/apimachinery/workqueue";
import type { ObjectKey } from "@xca/apimachinery/meta";
import type { HotLoop } from "./hot_loops.ts";
import type { ReconcileRun } from "./reconcile_run.ts";

/**
 * A record of a reconcile run in progress, in the controller's list of runs: the run, with its key
 * lease, ids and log.
 */
export interface ActiveRun {
  /** The reconcile run in progress. */
  readonly run: ReconcileRun;
  /** The lease by which a worker took the run's key from the work queue. */
  readonly lease: KeyLease<ObjectKey>;
  /** The id of the reconcile run. */
  readonly reconcileID: string;
  /** The number of the reconcile attempt: 1, or one more than the key's failures in a row. */
  readonly attempt: number;
  /** The log of the reconcile run. */
  readonly log: Logger;
}

/**
 * Logs as a warning that a reconcile run has taken `ms` milliseconds, and that it is aborted in
 * `abortInMs` milliseconds (`Infinity` for never).
 */
export function logSlow({ lease: { key }, log }: ActiveRun, ms: number, abortInMs: number): void {
  log.warn(
    "Reconcile of {key} is still running after {ms} ms; " +
      (abortInMs === Infinity
        ? "nothing ends it, since timeoutMs is Infinity"
        : "it will be aborted in {abortInMs} ms"),
    { key, ms, ...(abortInMs === Infinity ? {} : { abortInMs: Math.round(abortInMs) }) },
  );
}

/**
 * Logs as an error that a reconcile run ignores its aborted signal, `ms` milliseconds after the
 * start of the run.
 */
export function logStuck({ lease: { key }, log }: ActiveRun, ms: number): void {
  log.error(
    "Reconcile is stuck: it runs for {ms} ms and ignores its aborted signal. Its worker goes on; " +
      "{key} is not reconciled again until it ends",
    { key, ms },
  );
}

/** Logs as a warning a hot loop: a key whose reconcile runs cause each other. */
export function logHotLoop(log: Logger, key: ObjectKey, loop: HotLoop): void {
  const { runs, delayMs, isRequested } = loop;
  const fields = loop.fields.join(", ") || "no field";
  const properties = { key, runs, ms: Math.round(loop.ms), delayMs, ...!isRequested && { fields } };
  log.warn(
    "Hot loop: {key} was reconciled {runs} times in {ms} ms without a foreign change, " +
      (isRequested
        ? "each run at the request of the one before; request a later run, or wait for a change"
        : "each time because of a write of the run before, which changed {fields}; write only " +
          "what differs") +
      ". From now on it waits {delayMs} ms between runs, and up to a minute",
    properties,
  );
}
