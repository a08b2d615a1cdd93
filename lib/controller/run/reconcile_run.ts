import { type Clock, MAX_TIMER_MS } from "@xca/apimachinery/base";
import { attempt, type TimeoutQueue } from "@xca/apimachinery/internal/base";
import { type Completion, completionOf } from "./reconcile_result.ts";
import { RetryAfterError } from "../definition/retry_after_error.ts";
import { TerminalError } from "../definition/terminal_error.ts";

/**
 * The outcome of a reconcile run: done, requeued, failed (`error` is retried, `terminal` is not) or
 * aborted.
 */
export type Outcome =
  | Completion
  | {
    readonly type: "error";
    readonly error: unknown;
    readonly timedOut: boolean;
    /**
     * The delay that the run's error requests for the next attempt, in milliseconds; absent if it
     * requests none.
     */
    readonly retryInMs?: number;
  }
  | { readonly type: "terminal"; readonly error: unknown }
  /** The outcome of a reconcile run that failed after a stop of the operator had aborted it. */
  | { readonly type: "aborted" };

/** Options of the class {@linkcode ReconcileRun}, one call of a reconciler with its timeouts. */
export interface ReconcileRunOptions {
  /** The reconciler, called with the run's signal. */
  readonly reconcile: (signal: AbortSignal) => unknown;
  /**
   * The time from the start after which the run's signal is aborted, in milliseconds; `Infinity`
   * for never.
   */
  readonly timeoutMs: number;
  /**
   * The time from the start after which `onSlow` is called, in milliseconds, unless the run is
   * aborted or settles before; never if it is not below `timeoutMs`.
   */
  readonly warnAfterMs: number;
  /** The time after an abort at which the reconcile run counts as stuck, in milliseconds. */
  readonly abortGraceMs: number;
  /** Called once with the outcome when the reconciler settles, also after `onStuck`. */
  readonly onSettled: (outcome: Outcome) => void;
  /**
   * Called once when the reconcile run is in progress after `warnAfterMs`, with the time until its
   * signal is aborted, in milliseconds, or `Infinity`.
   */
  readonly onSlow: (abortInMs: number) => void;
  /** Called when the reconciler has not settled within the abort grace period. */
  readonly onStuck: () => void;
  /** The clock for the timeouts of the reconcile run. */
  readonly clock: Clock;
  /**
   * The queue of the first timeouts of a controller's runs, which saves a timer of the runtime per
   * run; the length of its timeouts is {@linkcode firstTimeoutMs}.
   *
   * @default {a timer of the clock}
   */
  readonly firstTimeouts?: TimeoutQueue | undefined;
}

/**
 * Returns the time until the first timeout of a reconcile run, in milliseconds: that of the warning
 * if it is below `timeoutMs`, otherwise `timeoutMs`.
 */
export function firstTimeoutMs(
  { warnAfterMs, timeoutMs }: Pick<ReconcileRunOptions, "warnAfterMs" | "timeoutMs">,
): number {
  return Math.min(warnAfterMs, timeoutMs);
}

/**
 * A single call of a reconciler, from its start until it settles. Any result or error of the
 * reconciler becomes an outcome; a result counts even after the abort. A call that has not settled
 * when the grace period after its abort is over is stuck.
 */
export class ReconcileRun {
  /** The start of the reconcile run on the monotonic clock, in milliseconds. */
  readonly startedMs: number;
  /**
   * A promise that resolves when the worker may take another key: the reconcile run has settled or
   * is stuck. Never rejects.
   */
  readonly released: Promise<void>;
  readonly #abort = new AbortController();
  readonly #options: ReconcileRunOptions;
  readonly #release: () => void;
  #state: "running" | "aborted" | "stuck" = "running";
  #timedOut = false;
  #timer: Disposable | undefined;

  /** Starts the reconcile run: calls the reconciler before the constructor returns. */
  constructor(options: ReconcileRunOptions) {
    const { clock, timeoutMs, warnAfterMs, reconcile, firstTimeouts } = options;
    this.#options = options;
    this.startedMs = clock.monotonicMs();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.released = promise;
    this.#release = resolve;
    // One timer at a time, since most runs end before the first.
    const firstMs = firstTimeoutMs(options);
    const onFirst = (): void => warnAfterMs < timeoutMs ? this.#slow() : this.#timeOut();
    if (firstTimeouts) this.#timer = firstTimeouts.start(onFirst);
    else if (firstMs !== Infinity) this.#timer = clock.after(firstMs, onFirst);
    void this.#watch(call(reconcile, this.#abort.signal));
  }

  /**
   * The state of the reconcile run, kept after it has settled: `aborted` when its signal is
   * aborted, `stuck` when the reconciler has not settled within the grace period after that.
   */
  get state(): "running" | "aborted" | "stuck" {
    return this.#state;
  }

  /**
   * Aborts the signal of the reconcile run; the run is stuck when it has not settled after the
   * grace period. Has no effect on a run that is aborted already.
   */
  abort(reason: unknown): void {
    if (this.#state !== "running") return;
    this.#state = "aborted";
    this.#timer?.[Symbol.dispose]();
    this.#timer = this.#options.clock.after(this.#options.abortGraceMs, () => {
      this.#state = "stuck";
      this.#options.onStuck();
      this.#release();
    });
    this.#abort.abort(reason);
  }

  async #watch(result: Promise<unknown>): Promise<void> {
    let outcome: Outcome;
    try {
      outcome = completionOf(await result);
    } catch (error) {
      outcome = this.#failure(error);
    }
    this.#timer?.[Symbol.dispose]();
    try {
      this.#options.onSettled(outcome);
    } finally {
      this.#release();
    }
  }

  #failure(error: unknown): Outcome {
    if (this.#timedOut) {
      return { type: "error", error: this.#abort.signal.reason, timedOut: true };
    }
    if (this.#abort.signal.aborted) return { type: "aborted" };
    if (error instanceof TerminalError) return { type: "terminal", error };
    const retryInMs = retryInMsOf(error);
    return { type: "error", error, timedOut: false, ...(retryInMs !== undefined && { retryInMs }) };
  }

  #slow(): void {
    const { clock, timeoutMs, onSlow } = this.#options;
    const abortInMs = Math.max(0, this.startedMs + timeoutMs - clock.monotonicMs());
    this.#endAfter(abortInMs);
    onSlow(abortInMs);
  }

  #endAfter(ms: number): void {
    if (ms !== Infinity) this.#timer = this.#options.clock.after(ms, () => this.#timeOut());
  }

  #timeOut(): void {
    this.#timedOut = true;
    const { timeoutMs } = this.#options;
    this.abort(new DOMException(`the run took longer than ${timeoutMs} ms`, "TimeoutError"));
  }
}

/**
 * Returns the retry delay that a reconciler's error requests, in milliseconds; `undefined` when the
 * error requests none, or not a valid one. The error may come from another copy of this library, or
 * be a Proxy.
 */
function retryInMsOf(error: unknown): number | undefined {
  if (!(error instanceof RetryAfterError)) return undefined;
  const delayMs: unknown = attempt(() => error.delayMs);
  const isDelay = typeof delayMs === "number" && delayMs >= 0 && delayMs <= MAX_TIMER_MS;
  return isDelay ? delayMs : undefined;
}

/**
 * Calls the reconciler synchronously and returns its result as a promise; a synchronous throw
 * becomes a rejection.
 */
async function call(
  reconcile: (signal: AbortSignal) => unknown,
  signal: AbortSignal,
): Promise<unknown> {
  return await reconcile(signal);
}
