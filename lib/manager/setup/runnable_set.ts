import { linkedAbort } from "@xca/apimachinery/base";
import { GroupRun } from "../run/group_run.ts";
import { ManagedRunnable } from "../run/managed_runnable.ts";
import { type Runnable, RUNNABLE_GROUPS, type RunnableGroup } from "../runnable.ts";
import { setUpInTime, type SetUpOptions } from "./set_up.ts";

/**
 * Options for {@linkcode RunnableSet}, the runnables of a manager. The signal is aborted when the
 * manager stops; a runnable that is added after the set-up of all others has the time limit twice,
 * to be set up and to become ready.
 */
export interface RunnableSetOptions extends SetUpOptions {
  /** Receives the error of a runnable that fails while the manager runs. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * The runnables of a manager in their groups. All are set up before any starts; a runnable that is
 * added after that is set up at once, and then joins its group.
 */
export class RunnableSet {
  /** The groups of the manager's runnables. */
  readonly groups: Readonly<Record<RunnableGroup, GroupRun>>;
  readonly #options: RunnableSetOptions;
  readonly #members = new Set<ManagedRunnable>();
  /** The runnables that {@linkcode RunnableSet.setUp} has not begun to set up. */
  readonly #waiting = new Set<ManagedRunnable>();
  #isSetUp = false;

  /** Creates a manager's set of runnables, which is empty. */
  constructor(options: RunnableSetOptions) {
    this.#options = options;
    const groups = RUNNABLE_GROUPS.map((group) => [group, new GroupRun(group)] as const);
    this.groups = Object.fromEntries(groups) as Record<RunnableGroup, GroupRun>;
  }

  /** The names of the runnables whose end has begun and is not over. */
  get ending(): string[] {
    return Object.values(this.groups).flatMap((group) => group.ending);
  }

  /** Adds a runnable, and sets it up at once if all others have been set up. */
  add(runnable: Runnable): ManagedRunnable {
    const { onFailure } = this.#options;
    const managed = new ManagedRunnable(runnable, onFailure);
    this.#members.add(managed);
    if (this.#isSetUp) void this.#admit(managed).catch(onFailure);
    else {
      this.#waiting.add(managed);
      this.groups[managed.group].add(managed);
    }
    return managed;
  }

  /**
   * Removes and disposes a runnable that has stopped; its set-up, if it lasts, can no longer fail.
   * Does nothing once the manager stops, which disposes all.
   */
  remove(managed: ManagedRunnable): void {
    if (this.#options.signal.aborted) return;
    this.#members.delete(managed);
    this.#waiting.delete(managed);
    this.groups[managed.group].remove(managed);
    void managed.end();
  }

  /** Returns the first problem of a running runnable, as `name: problem`; `undefined` for none. */
  async problem(signal: AbortSignal): Promise<string | undefined> {
    const checked = [...this.#members].filter((each) => each.isRunning);
    const problems = await Promise.all(checked.map((each) => each.problem(signal)));
    return problems.find((problem) => problem !== undefined);
  }

  /**
   * Sets up all runnables, including those that are added meanwhile. The first failure ends the
   * other set-ups, which could otherwise delay it, or hide it.
   *
   * @throws {unknown} The error of the first runnable that cannot be set up, or the reason of the
   * manager's stop.
   */
  async setUp(): Promise<void> {
    using first = linkedAbort({ signals: [this.#options.signal] });
    while (this.#waiting.size > 0) {
      const next = [...this.#waiting];
      this.#waiting.clear();
      await Promise.allSettled(next.map(async (each) => {
        try {
          await this.#setUp(each, first.signal);
        } catch (error) {
          first.abort(error);
        }
      }));
      first.signal.throwIfAborted();
    }
    this.#isSetUp = true;
  }

  /** Stops the groups in the reverse order of their start. Never rejects. */
  async stop(reason: unknown): Promise<void> {
    for (const group of RUNNABLE_GROUPS.toReversed()) await this.groups[group].stop(reason);
  }

  /** Aborts all runnables without waiting for their end. */
  abort(reason: unknown): void {
    for (const group of Object.values(this.groups)) group.abort(reason);
  }

  /**
   * Sets up and starts a runnable that was added when all others had been set up.
   *
   * @throws {RunnableError} When the runnable cannot be set up, or is not ready in time.
   */
  async #admit(managed: ManagedRunnable): Promise<void> {
    const group = this.groups[managed.group];
    try {
      await this.#setUp(managed, this.#options.signal);
    } finally {
      // A stop disposes it in its group, also when it could not be set up.
      if (this.#members.has(managed)) group.add(managed);
    }
    // Otherwise the start of its group waits for it.
    if (managed.isRunning) await group.whenReady([managed], this.#options);
  }

  /** Sets up a runnable; the failure of one that was removed meanwhile is none. */
  async #setUp(managed: ManagedRunnable, signal: AbortSignal): Promise<void> {
    try {
      await setUpInTime(managed, { ...this.#options, signal });
    } catch (error) {
      if (this.#members.has(managed)) throw error;
    }
  }
}
