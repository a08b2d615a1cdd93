import { type Clock, systemClock } from "@xca/apimachinery/base";
import type { WatchHealth } from "../../cache/reflector/watch_health.ts";

/**
 * A function that checks the health of the process: returns its problem in one line, or `undefined`
 * when there is none. A thrown error is a problem too, and so is a check that takes more than five
 * seconds: the health server then aborts the signal.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import type { HealthCheck } from "@xca/operator/manager";
 *
 * const free = { bytes: 10 };
 * const disk: HealthCheck = () => free.bytes < 1_000 ? "the disk is full" : undefined;
 * assert.equal(await disk(new AbortController().signal), "the disk is full");
 * ```
 */
export type HealthCheck = (
  signal: AbortSignal,
) => string | undefined | Promise<string | undefined>;

/** The fields of an informer that health checks read; a {@linkcode SharedInformer} has them. */
export interface CheckedInformer {
  /** The name of the informer in logs. */
  readonly name: string;
  /** The health of the watch of the informer that is checked. */
  readonly health: WatchHealth;
}

/** A check that always passes, and so shows that the process responds (`healthz.Ping`). */
export const ping: HealthCheck = (): undefined => undefined;

/**
 * Returns a check that passes once every informer has its complete first list.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { cacheSyncCheck } from "@xca/operator/manager";
 *
 * const check = cacheSyncCheck(() => []); // the informers of a cache
 * assert.equal(await check(new AbortController().signal), undefined);
 * ```
 */
export function cacheSyncCheck(informers: () => Iterable<CheckedInformer>): HealthCheck {
  return () => {
    const missing = [...informers()].filter(({ health }) => !health.synced);
    if (missing.length === 0) return undefined;
    const named = missing.map(({ name, health: { state, failing } }) =>
      `${name} (${failing ? failing.message : state})`
    );
    return `not synced: ${named.join(", ")}`;
  };
}

/**
 * Returns a check that fails when the watch of a synced informer has failed, without a response of
 * the server, for longer than `toleranceMs`. A short interruption, such as a restart of the API
 * server, is not a problem.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { watchHealthCheck } from "@xca/operator/manager";
 *
 * const check = watchHealthCheck(() => []); // the informers of a cache
 * assert.equal(await check(new AbortController().signal), undefined);
 * ```
 */
export function watchHealthCheck(
  informers: () => Iterable<CheckedInformer>,
  { toleranceMs = 60_000, clock = systemClock }: {
    /**
     * The time for which a watch may fail before the check fails, in milliseconds.
     *
     * @default {60_000}
     */
    readonly toleranceMs?: number | undefined;
    /** The clock of the informers that are checked. @default {systemClock} */
    readonly clock?: Clock | undefined;
  } = {},
): HealthCheck {
  return () => {
    const nowMs = clock.monotonicMs();
    const named = [...informers()].flatMap(({ name, health: { synced, failing, lastHeardMs } }) => {
      const silentMs = nowMs - (lastHeardMs ?? nowMs);
      if (!synced || !failing || silentMs <= toleranceMs) return [];
      return [`${name} (not heard for ${Math.round(silentMs / 1_000)} s: ${failing.message})`];
    });
    return named.length === 0 ? undefined : `watches fail: ${named.join(", ")}`;
  };
}

/**
 * Returns a check that fails when this process considers itself the leader and has not renewed its
 * lease for the lease duration and `toleranceMs` more, by default 20 seconds
 * (tools/leaderelection/healthzadaptor.go, HealthzAdaptor).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { leaderElectionCheck } from "@xca/operator/manager";
 *
 * const check = leaderElectionCheck({ problem: () => undefined }); // a LeaderElector
 * assert.equal(await check(new AbortController().signal), undefined);
 * ```
 */
export function leaderElectionCheck(
  elector: {
    /**
     * Returns the problem of a leader that has not renewed its lease for the lease duration and
     * `toleranceMs` more; `undefined` when there is none.
     */
    problem(toleranceMs: number): string | undefined;
  },
  toleranceMs: number = 20_000,
): HealthCheck {
  return () => elector.problem(toleranceMs);
}
