import { Backoff, type Clock, delay, type Random } from "@xca/apimachinery/base";
import { isConflict } from "../errors/api_error.ts";

/** Options for {@linkcode retryOnConflict}. The defaults are those of client-go. */
export interface RetryOnConflictOptions {
  /** How many tries there are in all, at least 1. @default {5} */
  readonly steps?: number;
  /** How long to wait after the first conflict, in milliseconds. @default {10} */
  readonly initialMs?: number;
  /** What each wait is multiplied by to give the next. @default {1} */
  readonly factor?: number;
  /** Each wait grows by up to this share of itself, at random. @default {0.1} */
  readonly jitter?: number;
  /** Ends the waiting; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Where time comes from. @default {systemClock} */
  readonly clock?: Clock;
  /** Where jitter comes from. @default {systemRandom} */
  readonly random?: Random;
}

/**
 * Reads, changes and writes an object anew as long as somebody else's write comes between.
 *
 * `attempt` must read the object itself, each time: written again as it is, the same object would
 * meet the same conflict. Any error but a conflict ({@linkcode isConflict}) ends it at once.
 *
 * @throws {ApiError} The last conflict, when every try met one.
 * @throws {unknown} What else `attempt` rejects with, or the reason of `signal`.
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
  const { steps = 5, initialMs = 10, factor = 1, jitter = 0.1, signal, ...ports } = options;
  if (!Number.isInteger(steps) || steps < 1) {
    throw new RangeError(
      `Cannot retry on conflict: steps must be a whole number of at least 1, is ${steps}`,
    );
  }
  const unlimited = { maxMs: Infinity, resetAfterMs: Infinity };
  const backoff = new Backoff({ initialMs, factor, jitter, ...unlimited, ...ports });
  for (let step = 1;; step++) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (!isConflict(error) || step === steps) throw error;
    }
    await delay(backoff.nextMs(), { ...ports, signal });
  }
}
