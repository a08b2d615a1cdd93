import {
  Backoff,
  type Clock,
  delay,
  type Random,
  systemClock,
  systemRandom,
} from "@xca/apimachinery/base";
import { isConflict } from "../errors/api_error.ts";

/** Options of {@linkcode retryOnConflict}. The defaults are those of client-go. */
export interface RetryOnConflictOptions {
  /** The largest number of attempts of the conflicting write, at least 1. @default {5} */
  readonly steps?: number;
  /** The wait after the first conflict, in milliseconds. @default {10} */
  readonly initialMs?: number;
  /** The factor from each wait after a conflict to the next. @default {1} */
  readonly factor?: number;
  /**
   * The largest random addition to a wait after a conflict, as a fraction of the wait: 0.1 is 10 %.
   *
   * @default {0.1}
   */
  readonly jitter?: number;
  /**
   * The signal that ends the repetition before an attempt or in the wait after a conflict; the call
   * then rejects with the reason of the signal.
   */
  readonly signal?: AbortSignal | undefined;
  /** The clock for the waits after conflicts. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /**
   * The random number source for the jitter of the waits after conflicts.
   *
   * @default {systemRandom}
   */
  readonly random?: Random | undefined;
}

/**
 * Calls `attempt`, which reads and writes an object, again while it fails with a conflict, up to
 * `steps` times in all. Returns the result of `attempt`.
 *
 * `attempt` must read the object each time, since a write of the same version would conflict again.
 * Any error but a conflict ({@linkcode isConflict}) ends the repetition.
 *
 * @throws {ApiError} The last conflict, when all attempts conflicted.
 * @throws {unknown} Any other rejection of `attempt`, or the reason of `signal`.
 * @throws {RangeError} When `steps` is not a whole number of at least 1.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ApiError, retryOnConflict } from "@xca/operator/client";
 *
 * let tries = 0;
 * const written = await retryOnConflict(async () => {
 *   if (++tries < 3) throw new ApiError({ status: { code: 409, reason: "Conflict" } });
 *   return await Promise.resolve("written");
 * });
 * assert(written === "written" && tries === 3);
 * ```
 */
export async function retryOnConflict<T>(
  attempt: () => T | Promise<T>,
  options: RetryOnConflictOptions = {},
): Promise<T> {
  const { steps = 5, initialMs = 10, factor = 1, jitter = 0.1, signal } = options;
  const { clock = systemClock, random = systemRandom } = options;
  if (!Number.isInteger(steps) || steps < 1) {
    throw new RangeError(
      `Cannot retry on conflict: steps must be a whole number of at least 1, is ${steps}`,
    );
  }
  const unlimited = { maxMs: Infinity, resetAfterMs: Infinity };
  const backoff = new Backoff({ initialMs, factor, jitter, ...unlimited, clock, random });
  for (let step = 1;; step++) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (!isConflict(error) || step === steps) throw error;
    }
    await delay(backoff.nextMs(), { clock, signal });
  }
}
