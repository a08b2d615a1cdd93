import type { Clock, Timer } from "@xca/apimachinery/base";

/** The minimum interval between two checks of the certificates, in milliseconds. */
export const PAUSE_MS = 1_000;

/** The signal and the clock of the run of a webhook server's certificate source. */
export interface Run {
  /** The signal that ends the certificate source's run. */
  readonly signal: AbortSignal;
  /** The clock of the waits between two checks of the certificates. */
  readonly clock: Clock;
}

/** A wait between two checks of the certificates, which a change of a watched object ends early. */
export class Wake {
  readonly #run: Run;
  #isPending = false;
  #end: (() => void) | undefined;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Ends the present wait between two checks of the certificates, or the next one. */
  now(): void {
    this.#isPending = true;
    this.#end?.();
  }

  /**
   * Waits for a time, for a change of a watched object, or for the end of the certificate source's
   * run.
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
