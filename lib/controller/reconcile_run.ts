import { type Clock, MAX_TIMER_MS, type Timer } from "@xca/apimachinery/base";
import { attempt } from "@xca/apimachinery/internal/base";
import { type Completion, completionOf } from "./reconcile_result.ts";
import { RetryAfterError } from "./retry_after_error.ts";
import { TerminalError } from "./terminal_error.ts";

/** How a run ended. */
export type Outcome =
  | Completion
  | {
    readonly type: "error";
    readonly error: unknown;
    readonly timedOut: boolean;
    /** When to try again, in milliseconds, if the error says so. */
    readonly retryInMs?: number;
  }
  | { readonly type: "terminal"; readonly error: unknown }
  /** It gave up because the operator stops. */
  | { readonly type: "aborted" };

/** Options for {@linkcode ReconcileRun}. */
export interface ReconcileRunOptions {
  /** What to call, with the run's signal. */
  readonly reconcile: (signal: AbortSignal) => unknown;
  /** After how long the signal is aborted, in milliseconds; `Infinity` for never. */
  readonly timeoutMs: number;
  /** After how long `onSlow` is called, in milliseconds, unless its time is up before. */
  readonly warnAfterMs: number;
  /** How long after an abort the run counts as stuck, in milliseconds. */
  readonly abortGraceMs: number;
  /** Called with the outcome when the reconciler settles, be it stuck or not. */
  readonly onSettled: (outcome: Outcome) => void;
  /** Called once when it still runs after `warnAfterMs`, with the time until its signal is aborted. */
  readonly onSlow: (abortInMs: number) => void;
  /** Called when the reconciler did not settle within the abort grace. */
  readonly onStuck: () => void;
  /** The source of time. */
  readonly clock: Clock;
}

/**
 * One call of a reconciler, from its start until it settles. Whatever the reconciler does (throw,
 * reject, throw what is no error, never settle), it becomes an outcome, or a run that is stuck.
 */
export class ReconcileRun {
  /** When it began, on the monotonic clock. */
  readonly startedMs: number;
  /** Resolves when the worker may take another key: the run settled, or got stuck. Never rejects. */
  readonly released: Promise<void>;
  readonly #abort = new AbortController();
  readonly #options: ReconcileRunOptions;
  readonly #release: () => void;
  #state: "running" | "aborted" | "stuck" = "running";
  #timedOut = false;
  #timer: Timer | undefined;

  /** Starts the run: the reconciler is called before the constructor returns. */
  constructor(options: ReconcileRunOptions) {
    const { clock, timeoutMs, warnAfterMs, reconcile } = options;
    this.#options = options;
    this.startedMs = clock.monotonicMs();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.released = promise;
    this.#release = resolve;
    // One timer at a time: most runs end before the first.
    if (warnAfterMs < timeoutMs) this.#timer = clock.after(warnAfterMs, () => this.#slow());
    else this.#endAfter(timeoutMs);
    void this.#watch(call(reconcile, this.#abort.signal));
  }

  /** Whether its signal is aborted, and whether it ignores that. */
  get state(): "running" | "aborted" | "stuck" {
    return this.#state;
  }

  /** Asks the reconciler to end. */
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

/** Checks the number: the error may come from another copy of this library, or be a Proxy. */
function retryInMsOf(error: unknown): number | undefined {
  if (!(error instanceof RetryAfterError)) return undefined;
  const delayMs: unknown = attempt(() => error.delayMs);
  const isDelay = typeof delayMs === "number" && delayMs >= 0 && delayMs <= MAX_TIMER_MS;
  return isDelay ? delayMs : undefined;
}

/** A synchronous throw becomes a rejection. */
async function call(
  reconcile: (signal: AbortSignal) => unknown,
  signal: AbortSignal,
): Promise<unknown> {
  return await reconcile(signal);
}
