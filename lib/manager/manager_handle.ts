import type { CacheHealth } from "./caches/cache_health.ts";

/** A running manager. Disposing it stops it and waits, as {@linkcode ManagerHandle.stop} does. */
export interface ManagerHandle extends AsyncDisposable {
  /**
   * Resolves when all runnables have been set up, before the first starts. Rejects as `ready` does.
   */
  readonly started: Promise<void>;
  /**
   * Resolves when all runnables are ready; with an election, once this replica leads. Reconcilers may
   * still wait for the caches of single kinds.
   *
   * Rejects with the error of `done`, or the reason of the stop, when the manager ends before.
   */
  readonly ready: Promise<void>;
  /** Settles as `Manager.run` does. */
  readonly done: Promise<void>;
  /** Stops the manager, and settles as `done` does. */
  stop(): Promise<void>;
}

/** The state of a manager. */
export interface ManagerHealth {
  /** Whether everything that does not depend on leading has started, and each cache is in sync. */
  readonly ready: boolean;
  /**
   * The stage of the manager: `warm` once all groups but that of the leader are ready.
   */
  readonly stage: "new" | "settingUp" | "starting" | "warm" | "stopping" | "stopped";
  /** Whether this process does the work of the leader. */
  readonly leads: boolean;
  /** The identity of the leader as observed last; empty without an election. */
  readonly leader: string;
  /** The health of each informer: the condition of each kind. */
  readonly caches: readonly CacheHealth[];
}
