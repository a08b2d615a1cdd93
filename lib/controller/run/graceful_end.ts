import type { Logger } from "@logtape/logtape";
import type { Clock, Timer } from "@xca/apimachinery/base";
import type { ObjectKey } from "@xca/apimachinery/meta";
import { keysText } from "../log/run_log.ts";
import type { ActiveRun } from "./active_run.ts";

/** Options of the class {@linkcode GracefulEnd}, the grace period of a controller that stops. */
export interface GracefulEndOptions {
  /** The controller's reconcile runs in progress. */
  readonly active: ReadonlyMap<ObjectKey, ActiveRun>;
  /** The log in which the controller records the grace period. */
  readonly log: Logger;
  /** The clock of the grace period. */
  readonly clock: Clock;
}

/**
 * The graceful end of a controller's reconcile runs: they have a grace period, then they are
 * aborted.
 */
export class GracefulEnd {
  readonly #options: GracefulEndOptions;
  /** The timer of the grace period, which aborts the remaining runs. */
  #timer: Timer | undefined;

  /** Creates the graceful end of a running controller; `begin` starts it. */
  constructor(options: GracefulEndOptions) {
    this.#options = options;
  }

  /**
   * Starts the grace period, at whose end the remaining runs are aborted, and logs the awaited
   * runs.
   */
  begin(gracePeriodMs: number): void {
    const { active, log, clock } = this.#options;
    const awaited = [...active].filter(([, { run }]) => run.state !== "stuck");
    if (awaited.length > 0) {
      log.info(
        "Controller {controller} waits for its runs of {keys}; runs that have not ended in " +
          "{gracePeriodMs} ms will be aborted",
        { keys: keysText(awaited.map(([key]) => key)), gracePeriodMs },
      );
    }
    this.#timer = clock.after(gracePeriodMs, () => {
      const reason = new DOMException("the operator stops", "AbortError");
      for (const { run } of active.values()) run.abort(reason);
    });
  }

  /**
   * Waits for the reconcile runs in progress; a run that ignores its aborted signal is abandoned.
   */
  async ended(): Promise<void> {
    const { active, log } = this.#options;
    await Promise.all([...active.values()].map(({ run }) => run.released));
    this.#timer?.[Symbol.dispose]();
    for (const [key, { reconcileID }] of active) {
      log.error("The run of {key} ignores its aborted signal and is left behind", {
        key,
        reconcileID,
      });
    }
  }
}
