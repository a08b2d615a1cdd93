import { type Clock, systemClock } from "./clock.ts";

/** Options of {@linkcode delay}, the function that waits for a number of milliseconds. */
export interface DelayOptions {
  /**
   * The signal that ends the delay early; the promise then rejects with the reason of the signal.
   */
  readonly signal?: AbortSignal | undefined;
  /** The clock of the delay. @default {systemClock} */
  readonly clock?: Clock;
}

/**
 * Returns a promise that resolves after `delayMs` milliseconds of the clock.
 *
 * No timer remains after an abort, and no listener of the signal after the delay.
 *
 * @throws {unknown} The reason of `signal`, when it is or becomes aborted.
 *
 * @example
 * ```ts
 * import { delay } from "@xca/apimachinery/base";
 *
 * await delay(5, { signal: AbortSignal.timeout(1_000) });
 * ```
 */
export function delay(delayMs: number, options: DelayOptions = {}): Promise<void> {
  const { signal, clock = systemClock } = options;
  if (signal?.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const timer = clock.after(delayMs, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    function onAbort(): void {
      timer[Symbol.dispose]();
      reject(signal?.reason);
    }
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
