import { MAX_TIMER_MS } from "@xca/apimachinery/base";
import { checkOptionNames, markClass, type OptionNames } from "@xca/apimachinery/internal/base";

/** Options of {@linkcode retryAfter} and the {@linkcode RetryAfterError} constructor. */
export interface RetryAfterOptions extends ErrorOptions {
  /**
   * The delay from the failure to the key's next reconcile run in milliseconds, at least 0; 0
   * stands for the controller's back-off. An event may cause an earlier run.
   */
  readonly delayMs: number;
}

/** The names of all options of {@linkcode retryAfter}. */
const RETRY_AFTER_OPTIONS: OptionNames<RetryAfterOptions> = {
  delayMs: true,
  cause: true,
};

/**
 * An error that a reconciler throws to set the delay of its retry: the run counts as failed and is
 * logged, and the key runs again after the delay instead of the back-off. An error with a delay
 * above 0 does not lengthen the back-off of other failures of the key.
 *
 * Throw the error to wait for a state that cannot be watched, such as an exhausted quota or a load
 * balancer that is being created. To wait without a failure, return `{ requeueAfterMs }` instead.
 *
 * `instanceof` recognizes errors of other copies of this library too.
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
  /** The name of this error class, `RetryAfterError`. */
  override readonly name = "RetryAfterError";
  /**
   * The delay from the failure to the key's next reconcile run, in milliseconds; 0 stands for the
   * controller's back-off.
   */
  readonly delayMs: number;

  /**
   * Creates an error that requests another reconcile run after a delay.
   *
   * @throws {RangeError} When `delayMs` is not a number of milliseconds from 0 to 2147483647.
   * @throws {TypeError} When an option is unknown.
   */
  constructor(message: string, options: RetryAfterOptions) {
    const { delayMs, ...rest } = options ?? {};
    super(message, rest);
    if (!(typeof delayMs === "number" && delayMs >= 0 && delayMs <= MAX_TIMER_MS)) {
      throw new RangeError(
        `Cannot retry after delayMs ${String(delayMs)}: it must be between 0 and ${MAX_TIMER_MS} ` +
          `milliseconds`,
      );
    }
    checkOptionNames("Cannot retry", options, RETRY_AFTER_OPTIONS);
    this.delayMs = delayMs;
  }

  static {
    markClass(this, Symbol.for("@xca/operator/RetryAfterError"));
  }
}

/**
 * Returns a new {@linkcode RetryAfterError}, for a reconciler to throw: the run counts as failed,
 * and the controller repeats it after `delayMs`.
 *
 * @throws {RangeError} When `delayMs` is not a number of milliseconds from 0 to 2147483647.
 * @throws {TypeError} When an option is unknown.
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
