import type { CacheHealth } from "./caches/cache_health.ts";

/**
 * A handle on a running manager. Disposing it stops the manager and waits, as
 * {@linkcode ManagerHandle.stop} does.
 */
export interface ManagerHandle extends AsyncDisposable {
  /**
   * A promise that resolves when all runnables have been set up, before the first starts. Rejects
   * as {@linkcode ManagerHandle.ready} does.
   */
  readonly started: Promise<void>;
  /**
   * A promise that resolves when all runnables are ready; with an election, once this replica
   * leads. Reconcilers may still wait for the caches of single kinds.
   *
   * Rejects with the error of `done`, or the reason of the stop, when the manager ends before.
   */
  readonly ready: Promise<void>;
  /**
   * The promise of `Manager.run`, which resolves after a stop, and rejects when the manager fails.
   */
  readonly done: Promise<void>;
  /** Stops the manager; settles as {@linkcode ManagerHandle.done} does. */
  stop(): Promise<void>;
}

/** The state of a manager at the time of the call; only {@linkcode CacheHealth.watch} is live. */
export interface ManagerHealth {
  /**
   * Reports whether all runnable groups except the leader's are ready, the manager is not stopping,
   * and each cache that an operator uses is in sync.
   */
  readonly ready: boolean;
  /**
   * The stage of the manager: `warm` once all runnable groups except the leader's are ready, until
   * the stop.
   */
  readonly stage: "new" | "settingUp" | "starting" | "warm" | "stopping" | "stopped";
  /**
   * Reports whether this process was the leader in the last observed election record, even if the
   * lease has expired since; without an election, whether the manager is at the stage `warm`.
   */
  readonly leads: boolean;
  /**
   * The identity of the last observed leader of the manager's election; empty without an election,
   * and while no leader is known.
   */
  readonly leader: string;
  /** The health of each informer of the manager, with the informer's condition. */
  readonly caches: readonly CacheHealth[];
}
