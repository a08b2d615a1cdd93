import { markClass } from "@xca/apimachinery/internal/base";
import { getLogger } from "@logtape/logtape";
import { type Clock, delay, systemClock, TokenBucket } from "@xca/apimachinery/base";

const logger = getLogger(["xca", "client", "limiter"]);

/** The length above which a wait for the rate limit is logged, in milliseconds. */
const LONG_WAIT_MS = 1_000;

/** The rate limit of a client's requests. */
export interface RateLimit {
  /** The number of requests per second that the rate limit admits on average. */
  readonly qps: number;
  /**
   * The largest number of requests that the rate limit admits at once: at the beginning, and after
   * a pause of `burst / qps` seconds.
   */
  readonly burst: number;
}

/** A request that waits for the rate limit: the argument of {@linkcode RequestLimiter.turn}. */
export interface WaitingRequest {
  /** The name of the waiting request for the log and error messages: `GET /api/v1/pods`. */
  readonly what: string;
  /** The longest wait for the rate limit, in milliseconds. @default no limit */
  readonly leftMs?: number;
  /** The signal that aborts the wait for the rate limit. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The error of a request whose deadline would pass before the rate limit admits it. The request was
 * not sent.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, RateLimitedError } from "@xca/operator/client";
 * import { Pod } from "@xca/operator/meta";
 *
 * const fetch = () => Promise.resolve(Response.json({ metadata: { name: "web" } }));
 * const rateLimit = { qps: 0.01, burst: 1 };
 * using client = createClient({ server: "https://example.invalid" }, { fetch, rateLimit });
 * await client.get(Pod, "default/web");
 * await assert.rejects(client.get(Pod, "default/web", { timeoutMs: 1_000 }), RateLimitedError);
 * ```
 */
export class RateLimitedError extends Error {
  /** The name of this error class, `RateLimitedError`. */
  override readonly name = "RateLimitedError";

  static {
    markClass(this, Symbol.for("@xca/operator/RateLimitedError"));
  }
}

/**
 * A queue that delays a client's requests so that they keep to the rate limit, in their order of
 * arrival. First attempts, retries and starts of watches all count.
 */
export class RequestLimiter {
  readonly #limit: RateLimit;
  readonly #clock: Clock;
  readonly #bucket: TokenBucket;

  /**
   * Creates a request limiter that admits a full burst at first.
   *
   * @throws {RangeError} When the rate is not above 0, or the burst is below 1.
   */
  constructor(limit: RateLimit, options: { readonly clock?: Clock } = {}) {
    this.#limit = limit;
    this.#clock = options.clock ?? systemClock;
    const { qps: perSecond, burst } = limit;
    this.#bucket = new TokenBucket({ perSecond, burst, clock: this.#clock });
  }

  /**
   * Waits until the rate limit admits the request. Logs waits of more than a second.
   *
   * @throws {RateLimitedError} At once, when the turn of the request comes after its deadline.
   * @throws {unknown} The reason of the request's signal, when that aborts the wait.
   */
  async turn(request: WaitingRequest): Promise<void> {
    const { what, leftMs = Infinity, signal } = request;
    signal?.throwIfAborted();
    const waitMs = this.#bucket.reserveMs();
    if (waitMs <= 0) return;
    if (waitMs >= leftMs) {
      this.#bucket.giveBack();
      throw new RateLimitedError(this.#tooLate(what, waitMs, leftMs));
    }
    if (waitMs > LONG_WAIT_MS) {
      logger.info("{what} waits {waitMs} ms for its turn: the client sends {qps} a second", {
        what,
        waitMs: Math.round(waitMs),
        qps: this.#limit.qps,
      });
    }
    try {
      await delay(waitMs, { signal, clock: this.#clock });
    } catch (error) {
      this.#bucket.giveBack();
      throw error;
    }
  }

  #tooLate(what: string, waitMs: number, leftMs: number): string {
    const { qps, burst } = this.#limit;
    return `Cannot send ${what}: this client sends ${qps} requests a second (burst ${burst}), and ` +
      `its turn comes in ${Math.round(waitMs)} ms, but its time is up in ` +
      `${Math.max(0, Math.round(leftMs))} ms; raise the rate limit or the time-out`;
  }
}
