import { type Clock, systemClock, type Timer } from "./clock.ts";

/** Options for {@linkcode linkedAbort}. */
export interface LinkedAbortOptions {
  /** Signals whose abort is passed on, with their reason. */
  readonly signals?: readonly (AbortSignal | undefined)[];
  /** Aborts after so many milliseconds. @default none */
  readonly timeoutMs?: number | undefined;
  /** The reason given when the time is up. */
  readonly timeoutReason?: () => unknown;
  /** Where time comes from. @default {systemClock} */
  readonly clock?: Clock;
}

/** An abort controller that follows others until it is disposed. */
export interface LinkedAbort extends Disposable {
  /** Aborted by {@linkcode LinkedAbort.abort}, by any followed signal, or by the time-out. */
  readonly signal: AbortSignal;
  /** Aborts the signal. */
  abort(reason?: unknown): void;
}

/**
 * Makes an abort controller that follows other signals and, if asked, a deadline on the given clock.
 *
 * Unlike `AbortSignal.any` and `AbortSignal.timeout` it lets go: disposing it removes its listeners
 * and its timer, so a long-lived parent signal does not collect one listener per call.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { linkedAbort } from "@xca/apimachinery/base";
 *
 * const parent = new AbortController();
 * using linked = linkedAbort({ signals: [parent.signal], timeoutMs: 30_000 });
 * parent.abort("the program ends");
 * assert.equal(linked.signal.reason, "the program ends");
 * ```
 */
export function linkedAbort(options: LinkedAbortOptions = {}): LinkedAbort {
  const { signals = [], timeoutMs, clock = systemClock } = options;
  const controller = new AbortController();
  const undo: (() => void)[] = [];
  for (const signal of signals) {
    if (!signal) continue;
    if (signal.aborted) {
      controller.abort(signal.reason);
      break;
    }
    const pass = (): void => controller.abort(signal.reason);
    signal.addEventListener("abort", pass, { once: true });
    undo.push(() => signal.removeEventListener("abort", pass));
  }
  let timer: Timer | undefined;
  if (timeoutMs !== undefined && !controller.signal.aborted) {
    const reason = options.timeoutReason ??
      (() => new DOMException(`no answer within ${timeoutMs} ms`, "TimeoutError"));
    timer = clock.after(timeoutMs, () => controller.abort(reason()));
  }
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    [Symbol.dispose]() {
      timer?.[Symbol.dispose]();
      for (const step of undo.splice(0)) step();
    },
  };
}
