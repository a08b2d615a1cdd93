import type { PlainRequest } from "@xca/apimachinery/serving";
import { type Clock, type LinkedAbort, linkedAbort } from "@xca/apimachinery/base";

/**
 * The largest margin between a webhook's response and the API server's timeout, in milliseconds.
 */
const MARGIN_MS = 500;
/**
 * The fraction of the webhook timeout that handlers may use, if a tenth of the timeout is less than
 * {@linkcode MARGIN_MS}.
 */
const SHARE = 0.9;
/** The longest timeout of the API server's calls to webhooks, in milliseconds. */
const MAX_MS = 30_000;

/**
 * The deadline of a review. Its signal is aborted when the request is aborted, and shortly before
 * the API server's timeout, so that the server gets a response which names the webhook. The API
 * server sends its timeout as the query parameter `timeout`; without a valid one, `defaultMs`
 * applies. Both are limited to 30 seconds. The signal and its timer are created when they are first
 * needed.
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

  /** The signal that is aborted at the review's deadline, or when the request is aborted before. */
  get signal(): AbortSignal {
    return (this.#link ??= this.#start()).signal;
  }

  /**
   * Stops the timer of the review's deadline. A signal that is first read afterwards is aborted.
   */
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

/** The lengths of the supported units of Go durations (not `us` and `ns`), in milliseconds. */
const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/**
 * Parses a Go duration in the units of {@linkcode UNITS}, such as `1m30s`; returns milliseconds, or
 * `undefined` if the text is not such a duration above zero.
 */
function durationMs(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(h|ms|m|s))+$/.test(text)) return undefined;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g);
  const total = parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit!]!, 0);
  return total > 0 ? total : undefined;
}
