import { type Clock, systemClock, type Timer } from "./clock.ts";

/** Options of {@linkcode linkedAbort}, which creates an abort controller. */
export interface LinkedAbortOptions {
  /**
   * The signals that the controller follows: when one is aborted, so is the controller's signal,
   * with the same reason. An `undefined` one counts as absent.
   */
  readonly signals?: readonly (AbortSignal | undefined)[];
  /**
   * The time from the creation of the controller after which its signal is aborted, in
   * milliseconds. @default none
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Returns the reason with which the controller's signal is aborted at the timeout.
   *
   * @default {a `TimeoutError` that states the timeout}
   */
  readonly timeoutReason?: () => unknown;
  /** The clock of the timeout. @default {systemClock} */
  readonly clock?: Clock;
}

/** An abort controller that follows other signals until it is disposed. */
export interface LinkedAbort extends Disposable {
  /**
   * The signal of the controller; aborted by {@linkcode LinkedAbort.abort}, by a followed signal,
   * or by the timeout.
   */
  readonly signal: AbortSignal;
  /** Aborts the signal of the controller with a reason, by default an `AbortError`. */
  abort(reason?: unknown): void;
}

/**
 * Creates an abort controller that follows other signals and, optionally, a timeout on the given
 * clock.
 *
 * Disposing the controller removes its listeners and its timer, so that a long-lived parent signal
 * does not accumulate one listener per call, unlike with `AbortSignal.any` and
 * `AbortSignal.timeout`.
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
