import {
  type Clock,
  type Random,
  systemClock,
  systemRandom,
  TokenBucket,
} from "@xca/apimachinery/base";
import { ApiError, hasStatusCause } from "../errors/api_error.ts";
import {
  IdleTimeoutError,
  StreamBrokenError,
  UnreachableError,
} from "../errors/unreachable_error.ts";

/** A call is tried that many times more, at most. */
const MAX_RETRIES = 5;
/** After a lost or refused connection fewer: a person or a back-off of its own waits for the error. */
const MAX_RETRIES_UNREACHABLE = 2;
/** However long the server asks to wait, in milliseconds. */
const MAX_WAIT_MS = 30_000;
const FIRST_WAIT_MS = 200;

/** Refusals that pass by themselves, worth another try of a read even without `Retry-After`. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** What may be tried again. */
export interface FailedTry {
  /** The HTTP method. */
  readonly method: string;
  /** What it came to. */
  readonly error: unknown;
  /** How many tries were made before this one. */
  readonly retries: number;
}

/**
 * Whether, and when, a call is tried again. One for each client: all its retries pass one token
 * bucket, so that a thousand refused calls do not become a storm.
 *
 * A read is tried again after a lost connection, and when the server says 429, 502, 503 or 504, or
 * sends `Retry-After` with any 5xx. A write is tried again only when it surely was not carried out:
 * the connection was never made, or the server says 429, or 503 with `Retry-After`. (client-go does
 * so for every 5xx with `Retry-After`; but the server sends one with 504, too, when a write took too
 * long and may have happened.)
 */
export class RetryPolicy {
  readonly #random: Random;
  readonly #bucket: TokenBucket;

  /** Makes a policy that has retried nothing. */
  constructor(options: { readonly clock?: Clock; readonly random?: Random } = {}) {
    const { clock = systemClock, random = systemRandom } = options;
    this.#random = random;
    this.#bucket = new TokenBucket({ perSecond: 10, burst: 20, clock });
  }

  /** How long to wait before the next try, in milliseconds; `undefined`: do not try again. */
  waitMs(failed: FailedTry): number | undefined {
    const most = failed.error instanceof ApiError ? MAX_RETRIES : MAX_RETRIES_UNREACHABLE;
    if (failed.retries >= most || !mayRetry(failed)) return undefined;
    const asked = failed.error instanceof ApiError ? failed.error.retryAfterSeconds : undefined;
    const base = asked === undefined ? FIRST_WAIT_MS * 2 ** failed.retries : asked * 1000;
    // Only later, never earlier, than the server asks for.
    const waitMs = Math.min(base, MAX_WAIT_MS) * (1 + 0.5 * this.#random.next());
    // So deep in a storm that the turn of this call is far: fail, and let the caller back off.
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
  // The pod may go when others are ready, which is not a matter of seconds; the caller waits.
  if (hasStatusCause(error, "DisruptionBudget")) return false;
  const { code, retryAfterSeconds } = error;
  if (code === 429) return true;
  if (read) return PASSING.has(code) || (code >= 500 && retryAfterSeconds !== undefined);
  return code === 503 && retryAfterSeconds !== undefined;
}

/** The seconds of a `Retry-After` header: a number, or a date (RFC 9110). */
export function retryAfterSeconds(headers: Headers, now: Date): number | undefined {
  const text = headers.get("retry-after")?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, (dateMs - now.getTime()) / 1000);
}
