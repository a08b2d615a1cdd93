import type { Logger } from "@logtape/logtape";
import type { Clock, Timer } from "@xca/apimachinery/base";
import type { LiveList } from "@xca/apimachinery/internal/base";
import { keysText } from "../log/run_log.ts";
import type { ActiveRun } from "./active_run.ts";

/** Options of the class {@linkcode GracefulEnd}, the grace period of a controller that stops. */
export interface GracefulEndOptions {
  /** The controller's reconcile runs in progress, by key: a live map. */
  readonly active: LiveList<ActiveRun>;
  /** The log in which the controller records the grace period. */
  readonly log: Logger;
  /** The clock of the grace period. */
  readonly clock: Clock;
}

/**
 * The graceful end of a controller's reconcile runs: the runs have a grace period, then their
 * signals are aborted.
 */
export class GracefulEnd {
  readonly #options: GracefulEndOptions;
  /**
   * The timer of the grace period, which aborts the remaining runs; `undefined` before `begin` and
   * for a grace period without limit.
   */
  #timer: Timer | undefined;

  /** Creates the graceful end of a running controller; `begin` starts it. */
  constructor(options: GracefulEndOptions) {
    this.#options = options;
  }

  /**
   * Starts the grace period, in milliseconds, at whose end the signals of the remaining runs are
   * aborted, and logs the runs that are not stuck. `Infinity` aborts no run.
   */
  begin(gracePeriodMs: number): void {
    const { active, log, clock } = this.#options;
    const isLimited = gracePeriodMs !== Infinity;
    const awaited = [...active].filter(({ run }) => run.state !== "stuck");
    if (awaited.length > 0) {
      log.info(
        "Controller {controller} waits for its runs of {keys}" +
          (isLimited ? "; runs that have not ended in {gracePeriodMs} ms will be aborted" : ""),
        { keys: keysText(awaited.map(({ lease }) => lease.key)), gracePeriodMs },
      );
    }
    if (!isLimited) return;
    this.#timer = clock.after(gracePeriodMs, () => {
      const reason = new DOMException("the operator stops", "AbortError");
      for (const { run } of active) run.abort(reason);
    });
  }

  /**
   * Resolves when every reconcile run in progress has settled or is stuck; cancels the rest of the
   * grace period, and logs stuck runs as left behind.
   */
  async ended(): Promise<void> {
    const { active, log } = this.#options;
    await Promise.all([...active].map(({ run }) => run.released));
    this.#timer?.[Symbol.dispose]();
    for (const { lease: { key }, reconcileID } of active) {
      log.error("The run of {key} ignores its aborted signal and is left behind", {
        key,
        reconcileID,
      });
    }
  }
}
