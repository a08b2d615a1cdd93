import { MAX_TIMER_MS } from "@xca/apimachinery/base";

/**
 * The jitter factor of the waits between attempts to acquire a lease:
 * `leaderelection.JitterFactor`.
 */
export const JITTER_FACTOR = 1.2;

/** The durations of a leader election, with the defaults of Kubernetes' own components. */
export interface ElectionTiming {
  /**
   * The time without a renewal after which candidates may acquire the lease, in milliseconds; a
   * whole number of seconds, since a Lease stores seconds.
   *
   * @default {15_000}
   */
  readonly leaseDurationMs?: number | undefined;
  /**
   * The time since the last successful renewal was sent within which the leader must renew the
   * lease, in milliseconds. A leader that could not renew the lease within this time stops, and
   * starts no further write.
   *
   * @default {10_000}
   */
  readonly renewDeadlineMs?: number | undefined;
  /**
   * The time between two attempts to acquire or renew the lease, in milliseconds. Candidates add a
   * random wait of up to 1.2 times as long, except in a coordinated election.
   *
   * @default {2_000}
   */
  readonly retryPeriodMs?: number | undefined;
}

/** The durations of a leader election with defaults filled in. */
export type FilledTiming = { readonly [Field in keyof ElectionTiming]-?: number };

/**
 * Returns the durations with defaults filled in, after a check of each and against each other:
 * leaseDuration > renewDeadline > 1.2 x retryPeriod, as `leaderelection.NewLeaderElector` does.
 *
 * @throws {RangeError} When a duration is invalid; the message names it and the rule.
 */
export function fillTiming(timing: ElectionTiming): FilledTiming {
  const filled: FilledTiming = {
    leaseDurationMs: timing.leaseDurationMs ?? 15_000,
    renewDeadlineMs: timing.renewDeadlineMs ?? 10_000,
    retryPeriodMs: timing.retryPeriodMs ?? 2_000,
  };
  for (const [name, value] of Object.entries(filled)) {
    if (Number.isFinite(value) && value > 0 && value <= MAX_TIMER_MS) continue;
    throw new RangeError(
      `Cannot elect a leader: ${name} is ${value}; give milliseconds above 0, and at most ` +
        `${MAX_TIMER_MS}`,
    );
  }
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = filled;
  if (leaseDurationMs % 1_000 !== 0) {
    throw new RangeError(
      `Cannot elect a leader: leaseDurationMs is ${leaseDurationMs}; give whole seconds, since a ` +
        `Lease stores seconds`,
    );
  }
  if (leaseDurationMs <= renewDeadlineMs) {
    throw new RangeError(
      `Cannot elect a leader: leaseDurationMs (${leaseDurationMs}) must be above renewDeadlineMs ` +
        `(${renewDeadlineMs}), or two replicas could lead at once`,
    );
  }
  if (renewDeadlineMs <= JITTER_FACTOR * retryPeriodMs) {
    throw new RangeError(
      `Cannot elect a leader: renewDeadlineMs (${renewDeadlineMs}) must be above ${JITTER_FACTOR} x ` +
        `retryPeriodMs (${
          JITTER_FACTOR * retryPeriodMs
        }), or one failed renewal would end the term`,
    );
  }
  return filled;
}
