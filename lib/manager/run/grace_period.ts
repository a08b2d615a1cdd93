import { type Clock, delay, linkedAbort } from "@xca/apimachinery/base";

/**
 * Waits for `stopped`, for at most `timeMs` milliseconds, and reports whether the promise has
 * resolved. Rejects when the promise rejects in this time.
 */
export async function settlesWithin(
  stopped: Promise<void>,
  timeMs: number,
  clock: Clock,
): Promise<boolean> {
  using limit = linkedAbort();
  const late = delay(timeMs, { clock, signal: limit.signal }).then(() => false, () => true);
  const isInTime = await Promise.race([stopped.then(() => true), late]);
  limit.abort();
  return isInTime;
}

/** Returns the error of a manager whose runnables have not ended within the grace period. */
export function lateError(manager: string, gracePeriodMs: number, late: readonly string[]): Error {
  return new Error(
    `${manager} has stopped, but within ${gracePeriodMs / 1000} s these have not ended: ` +
      `${late.join(", ") || "the leader election"}; end the process, or raise the grace period`,
  );
}
