import type { PlainRequest } from "@xca/apimachinery/serving";
import { type Clock, type LinkedAbort, linkedAbort } from "@xca/apimachinery/base";

/** The longest time that an answer is sent before the API server stops waiting, in milliseconds. */
const MARGIN_MS = 500;
/** The share of the time of a review that handlers have, where a tenth is less than the margin. */
const SHARE = 0.9;
/** The longest time that the API server waits for a webhook, in milliseconds. */
const MAX_MS = 30_000;

/**
 * The signal of a review: aborted when the request is, and shortly before the API server stops waiting, so
 * that it gets an answer which names the webhook. The API server sends its patience as the query
 * `timeout`; without one, a default counts. The signal and its timer are made when they are first needed.
 */
export class ReviewDeadline implements Disposable {
  readonly #request: PlainRequest;
  readonly #defaultMs: number;
  readonly #clock: Clock;
  readonly #startMs: number;
  #link: LinkedAbort | undefined;
  #isOver = false;

  /** Creates the deadline of a review that has just begun. */
  constructor(request: PlainRequest, defaultMs: number, clock: Clock) {
    this.#request = request;
    this.#defaultMs = defaultMs;
    this.#clock = clock;
    this.#startMs = clock.monotonicMs();
  }

  /** The signal of the review. */
  get signal(): AbortSignal {
    return (this.#link ??= this.#start()).signal;
  }

  /** Ends the timer of the deadline. A signal that is first read afterwards is aborted. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#link?.[Symbol.dispose]();
  }

  #start(): LinkedAbort {
    if (this.#isOver) {
      return linkedAbort({
        signals: [AbortSignal.abort(new DOMException("The review is answered", "AbortError"))],
      });
    }
    const asked = durationMs(/(?:^|&)timeout=([^&]*)/.exec(this.#request.query)?.[1] ?? "");
    const patienceMs = Math.min(asked ?? this.#defaultMs, MAX_MS);
    const allowedMs = Math.max(patienceMs - MARGIN_MS, patienceMs * SHARE);
    return linkedAbort({
      signals: [this.#request.signal],
      timeoutMs: Math.max(allowedMs - (this.#clock.monotonicMs() - this.#startMs), 0),
      timeoutReason: () =>
        new DOMException(`it gave no answer within ${allowedMs / 1_000} s`, "TimeoutError"),
      clock: this.#clock,
    });
  }
}

/** The lengths of Go's units of time in milliseconds. */
const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** Returns a duration of Go, as `1m30s`, in milliseconds; `undefined` for none above zero. */
function durationMs(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(h|ms|m|s))+$/.test(text)) return undefined;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g);
  const total = parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit!]!, 0);
  return total > 0 ? total : undefined;
}
