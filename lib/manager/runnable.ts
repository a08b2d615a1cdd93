import type { ResourceUse } from "../controller/definition/resource_use.ts";

/**
 * The group of a runnable, which decides when it starts and stops (pkg/manager/runnable_group.go,
 * runnables).
 *
 * - `servers`: servers of health and metrics. They start first and stop last.
 * - `webhooks`: servers of webhooks. They start before the caches, whose lists may need a
 *   converter.
 * - `caches`: caches, which the groups after them need.
 * - `others`: work that every replica does.
 * - `leader`: work of the leader alone. It starts last, once this replica leads, and stops first.
 */
export type RunnableGroup = "servers" | "webhooks" | "caches" | "others" | "leader";

/** The groups of runnables in the order in which they start; they stop in the reverse order. */
export const RUNNABLE_GROUPS: readonly RunnableGroup[] = [
  "servers",
  "webhooks",
  "caches",
  "others",
  "leader",
];

/**
 * Work that a manager starts and stops (pkg/manager/manager.go, Runnable and
 * LeaderElectionRunnable).
 *
 * The manager calls {@linkcode Runnable.setUp} of all runnables before it runs any, then {@linkcode
 * Runnable.run} group by group, and disposes a runnable that is disposable at the end, also one
 * that was set up and never ran.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import type { Runnable } from "@xca/operator/manager";
 *
 * const ticks: string[] = [];
 * const ticker: Runnable = {
 *   name: "ticker",
 *   group: "others",
 *   run: (signal) =>
 *     new Promise((resolve) => {
 *       ticks.push("runs");
 *       signal.addEventListener("abort", () => resolve(), { once: true });
 *     }),
 * };
 * const abort = new AbortController();
 * const running = ticker.run(abort.signal);
 * abort.abort();
 * await running;
 * assert.deepEqual(ticks, ["runs"]);
 * ```
 */
export interface Runnable extends Partial<AsyncDisposable> {
  /** The name of the runnable in logs and errors, unique among the runnables of the manager. */
  readonly name: string;
  /**
   * The group of the runnable.
   *
   * @default {"leader"}, so that work without a group never runs in two replicas, as in
   * controller-runtime
   */
  readonly group?: RunnableGroup | undefined;
  /**
   * The API calls of the runnable, such as those that `ownCertificatesUses` returns. Before it sets
   * the runnable up, a manager asks the API server whether the manager's client may make these
   * calls, and fails if not, unless its option `check` is false.
   *
   * @default none
   */
  readonly uses?: readonly ResourceUse[] | undefined;
  /**
   * Prepares the runnable: binds a port, loads a certificate, checks the server. The manager calls
   * the `setUp` of all runnables before it starts any; that of a runnable which is added while the
   * manager runs, at once. An error ends the manager, which then fails with a RunnableError that
   * names the runnable.
   *
   * @throws {unknown} The reason of `signal`, when it is aborted before.
   */
  setUp?(signal: AbortSignal): Promise<void>;
  /**
   * Prepares a runnable of the group `leader` on every replica before it leads, for example by
   * filling caches. The manager calls `warmUp` just before it starts the group `caches`, for a
   * runnable that is added later after its set-up; the signal is aborted when the group of the
   * runnable stops. An error stops the manager (pkg/manager/manager.go, warmupRunnable).
   */
  warmUp?(signal: AbortSignal): Promise<void>;
  /**
   * Runs the runnable until the signal is aborted, then ends its work and resolves. A runnable may
   * also end earlier; an error stops the manager, which then fails with a RunnableError that names
   * the runnable.
   */
  run(signal: AbortSignal): Promise<void>;
  /**
   * A promise that resolves once the runnable works: a server accepts connections, a cache is
   * complete. The next group starts when all runnables of this group are ready or have ended; a
   * rejection stops the manager, with a RunnableError.
   *
   * @default ready at once
   */
  readonly ready?: Promise<void> | undefined;
  /**
   * Returns the problem of the runnable in one line, or `undefined` when there is none; an error
   * that `check` throws is a problem too. The health server calls `check` for `/readyz` while the
   * runnable runs.
   *
   * @default {the runnable has no problem}
   */
  check?(signal: AbortSignal): string | undefined | Promise<string | undefined>;
}
