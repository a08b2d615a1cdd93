import type { Clock, Timer } from "@xca/apimachinery/base";

/**
 * The shortest wait between two checks of certificates or webhook configurations, in milliseconds.
 */
export const PAUSE_MS = 1_000;

/**
 * The signal and the clock of a run that checks certificates or webhook configurations repeatedly.
 */
export interface Run {
  /** The signal that ends the run of repeated checks. */
  readonly signal: AbortSignal;
  /** The clock of the waits between two checks. */
  readonly clock: Clock;
}

/**
 * A wait between two checks of certificates or webhook configurations, which a change of a watched
 * object ends early.
 */
export class Wake {
  readonly #run: Run;
  #isPending = false;
  #end: (() => void) | undefined;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Ends the present wait between two checks, or the next one, after {@linkcode PAUSE_MS}. */
  now(): void {
    this.#isPending = true;
    this.#end?.();
  }

  /**
   * Waits until the given time has passed, a watched object has changed (then one more second, so
   * that several changes lead to one check), or the run of repeated checks ends, whichever comes
   * first.
   */
  async wait(ms: number): Promise<void> {
    const { signal, clock } = this.#run;
    const timers: Timer[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = (): void => resolve();
    this.#end = () => {
      // Changes within this pause lead to one check.
      timers.push(clock.after(PAUSE_MS, resolve));
      this.#end = undefined;
    };
    if (this.#isPending) this.#end();
    timers.push(clock.after(ms, resolve));
    signal.addEventListener("abort", stop, { once: true });
    if (!signal.aborted) await promise;
    signal.removeEventListener("abort", stop);
    for (const timer of timers) timer[Symbol.dispose]();
    this.#isPending = false;
    this.#end = undefined;
  }
}
