import {
  type Clock,
  type Random,
  systemClock,
  systemRandom,
  TokenBucket,
} from "@xca/apimachinery/base";
import type { ResponseHeaders } from "../transport/response_headers.ts";
import { ApiError, hasStatusCause } from "../errors/api_error.ts";
import {
  IdleTimeoutError,
  StreamBrokenError,
  UnreachableError,
} from "../errors/unreachable_error.ts";

/** The largest number of retries of a request that the server refuses. */
const MAX_RETRIES = 5;
/**
 * The largest number of retries of a request after a lost or refused connection: few, since a
 * person, or the caller's own back-off, waits for the error.
 */
const MAX_RETRIES_UNREACHABLE = 2;
/**
 * The longest wait before a request is retried, in milliseconds, even if the server requests a
 * longer one. Jitter adds up to half as much again.
 */
const MAX_WAIT_MS = 30_000;
const FIRST_WAIT_MS = 200;

/**
 * The HTTP status codes of temporary refusals, after which the client retries a read even without
 * `Retry-After`.
 */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * A failed attempt of a request, from which the retry policy decides whether to repeat the request.
 */
export interface FailedTry {
  /** The HTTP method of the failed request. */
  readonly method: string;
  /** The error that the request failed with. */
  readonly error: unknown;
  /** The number of retries before this attempt of the request. */
  readonly retries: number;
}

/**
 * The rule that decides whether and when a failed request is retried: at most five times, and after
 * a lost connection only if it was retried less than twice. A client has one policy: all its
 * retries share a token bucket (20 at once, then 10 a second), so that a thousand refused calls do
 * not become a storm.
 *
 * The policy retries a read after a lost connection, and when the server answers 429, 502, 503 or
 * 504, or any 5xx with `Retry-After` (the header, or `retryAfterSeconds` of the `Status`). It
 * retries a write only when the server certainly did not carry it out: the connection was never
 * made, or the server answers 429, or 503 with `Retry-After`. (client-go retries every 5xx with
 * `Retry-After`; but the server also sends 504 with it when a write timed out and may have
 * happened.) No request is retried after a 429 that names a disruption budget, or after a
 * connection failure that is not temporary, such as an untrusted certificate.
 */
export class RetryPolicy {
  readonly #random: Random;
  readonly #bucket: TokenBucket;

  /** Creates a retry policy whose budget of retries (a token bucket) is full. */
  constructor(options: { readonly clock?: Clock; readonly random?: Random } = {}) {
    const { clock = systemClock, random = systemRandom } = options;
    this.#random = random;
    this.#bucket = new TokenBucket({ perSecond: 10, burst: 20, clock });
  }

  /**
   * Returns the wait before a failed request is retried, in milliseconds, and takes a token from
   * the budget of retries; `undefined` when the client must not retry the request, or the budget is
   * exhausted for more than 30 s.
   */
  waitMs(failed: FailedTry): number | undefined {
    const most = failed.error instanceof ApiError ? MAX_RETRIES : MAX_RETRIES_UNREACHABLE;
    if (failed.retries >= most || !mayRetry(failed)) return undefined;
    const asked = failed.error instanceof ApiError ? failed.error.retryAfterSeconds : undefined;
    const base = asked === undefined ? FIRST_WAIT_MS * 2 ** failed.retries : asked * 1000;
    // Jitter lengthens the wait and never shortens it below what the server requests.
    const waitMs = Math.min(base, MAX_WAIT_MS) * (1 + 0.5 * this.#random.next());
    // The token bucket is exhausted: fail now and let the caller back off.
    if (this.#bucket.peekMs() > MAX_WAIT_MS) return undefined;
    return Math.max(waitMs, this.#bucket.reserveMs());
  }
}

function mayRetry({ method, error }: FailedTry): boolean {
  const read = method === "GET" || method === "HEAD";
  if (error instanceof UnreachableError) {
    return error.mayPass && (read || error.neverSent);
  }
  if (error instanceof StreamBrokenError || error instanceof IdleTimeoutError) return read;
  if (!(error instanceof ApiError)) return false;
  // An eviction waits for other pods to become ready, which takes longer than retries last.
  if (hasStatusCause(error, "DisruptionBudget")) return false;
  const { code, retryAfterSeconds } = error;
  if (code === 429) return true;
  if (read) return PASSING.has(code) || (code >= 500 && retryAfterSeconds !== undefined);
  return code === 503 && retryAfterSeconds !== undefined;
}

/**
 * Returns the wait in seconds that a response requests by its `Retry-After` header, which is a
 * number or a date (RFC 9110); 0 for a date in the past, and `undefined` without a valid header.
 */
export function retryAfterSeconds(headers: ResponseHeaders, now: Date): number | undefined {
  const text = headers.get("retry-after")?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, (dateMs - now.getTime()) / 1000);
}
