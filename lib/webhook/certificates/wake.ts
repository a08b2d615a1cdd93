import type { Clock, Timer } from "@xca/apimachinery/base";

/** The shortest time between two passes, in milliseconds. */
export const PAUSE_MS = 1_000;

/** The signal and the clock of a run of a source. */
export interface Run {
  /** The signal that ends the run. */
  readonly signal: AbortSignal;
  /** The source of time. */
  readonly clock: Clock;
}

/** A wait that changes end early. */
export class Wake {
  readonly #run: Run;
  #isPending = false;
  #end: (() => void) | undefined;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Ends the wait, or the next one. */
  now(): void {
    this.#isPending = true;
    this.#end?.();
  }

  /** Waits for a time, or for a change, or for the end of the run. */
  async wait(ms: number): Promise<void> {
    const { signal, clock } = this.#run;
    const timers: Timer[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = (): void => resolve();
    this.#end = () => {
      // Changes that come together are looked at once.
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
