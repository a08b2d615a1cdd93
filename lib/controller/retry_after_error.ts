import { MAX_TIMER_MS } from "@xca/apimachinery/base";
import { isMarked, mark } from "@xca/apimachinery/internal/base";

/** The mark of {@linkcode RetryAfterError}, the same for every copy of this library in one process. */
const RETRY_AFTER = Symbol.for("@xca/operator/RetryAfterError");

/** Options for {@linkcode retryAfter}. */
export interface RetryAfterOptions extends ErrorOptions {
  /** In how many milliseconds the key runs again, at least 0. An event may bring the run forward. */
  readonly delayMs: number;
}

/**
 * An error that says when to try again: the run counts as failed and is logged, and the key runs again
 * after that delay instead of the back-off. Other failures of the key keep their back-off.
 *
 * For what takes its time and cannot be watched: a quota that is used up, a load balancer that is being
 * made. What is no failure returns `{ requeueAfterMs }` instead.
 *
 * `instanceof` knows it across copies of this library too.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { retryAfter, RetryAfterError } from "@xca/operator/controller";
 *
 * const error = retryAfter("the certificate is not issued yet", { delayMs: 30_000 });
 * assert(error instanceof RetryAfterError && error.delayMs === 30_000);
 * ```
 */
export class RetryAfterError extends Error {
  /** The name of the class. */
  override readonly name = "RetryAfterError";
  /** In how many milliseconds the key runs again. */
  readonly delayMs: number;

  /**
   * Makes an error.
   *
   * @throws {RangeError} When `delayMs` is no number of milliseconds from 0 to 2147483647.
   */
  constructor(message: string, { delayMs, ...options }: RetryAfterOptions) {
    super(message, options);
    if (!(typeof delayMs === "number" && delayMs >= 0 && delayMs <= MAX_TIMER_MS)) {
      throw new RangeError(
        `Cannot retry after delayMs ${String(delayMs)}: it must be between 0 and ${MAX_TIMER_MS} ` +
          `milliseconds`,
      );
    }
    this.delayMs = delayMs;
    mark(this, RETRY_AFTER);
  }

  /** Reports whether a value is such an error, of this copy of the library or of another. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isMarked(value, RETRY_AFTER, this, RetryAfterError);
  }
}

/**
 * Makes a {@linkcode RetryAfterError}: "failed, try again in 30 seconds".
 *
 * @throws {RangeError} When `delayMs` is no number of milliseconds from 0 to 2147483647.
 *
 * @example
 * ```ts
 * import { retryAfter } from "@xca/operator/controller";
 *
 * function addressOf(service: { status?: { ip?: string } }): string {
 *   const ip = service.status?.ip;
 *   if (ip === undefined) throw retryAfter("the load balancer has no address", { delayMs: 30_000 });
 *   return ip;
 * }
 * addressOf({ status: { ip: "192.0.2.1" } });
 * ```
 */
export function retryAfter(message: string, options: RetryAfterOptions): RetryAfterError {
  return new RetryAfterError(message, options);
}
