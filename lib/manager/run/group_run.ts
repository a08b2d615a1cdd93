// Mirrors sigs.k8s.io/controller-runtime/pkg/manager/runnable_group.go, runnableGroup.
import { type Clock, linkedAbort } from "@xca/apimachinery/base";
import { beforeAbort } from "@xca/apimachinery/internal/base";
import type { RunnableGroup } from "../runnable.ts";
import { RunnableError } from "../runnable_error.ts";
import type { ManagedRunnable } from "./managed_runnable.ts";

/** Options for {@linkcode GroupRun.start}, which starts a group of a manager's runnables. */
export interface GroupStartOptions {
  /**
   * The time that the group's runnables have to become ready, in milliseconds; `Infinity` is no
   * limit.
   */
  readonly timeoutMs: number;
  /** The signal that, when aborted, ends the wait for the group's runnables. */
  readonly signal: AbortSignal;
  /** The clock of the wait for the group's runnables. */
  readonly clock: Clock;
}

/** The runnables of one group of a manager, which start and stop together. */
export class GroupRun {
  /** The group that the runnables belong to. */
  readonly group: RunnableGroup;
  readonly #members: ManagedRunnable[] = [];
  readonly #abort = new AbortController();
  #isStarted = false;
  #isWarming = false;

  /** Creates a group of a manager, without runnables. */
  constructor(group: RunnableGroup) {
    this.group = group;
  }

  /** The names of the group's runnables whose end has begun and is not over. */
  get ending(): string[] {
    return this.#members.filter(({ isEnding }) => isEnding).map(({ name }) => name);
  }

  /**
   * Adds a runnable to its group, and starts it, or its warm-up, if the group has been started, or
   * warmed up. A runnable that is added after a stop ends at once.
   */
  add(runnable: ManagedRunnable): void {
    if (this.#abort.signal.aborted) return void runnable.end();
    this.#members.push(runnable);
    if (this.#isWarming) runnable.warmUp(this.#abort.signal);
    if (this.#isStarted) runnable.start(this.#abort.signal);
  }

  /** Removes a runnable, which ends or has ended, from its group. */
  remove(runnable: ManagedRunnable): void {
    const at = this.#members.indexOf(runnable);
    if (at >= 0) this.#members.splice(at, 1);
  }

  /** Starts the warm-up of the group's runnables, those added later included. */
  warmUp(): void {
    this.#isWarming = true;
    for (const member of this.#members) member.warmUp(this.#abort.signal);
  }

  /** Starts the group's runnables, those added later included. */
  begin(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    for (const member of [...this.#members]) member.start(this.#abort.signal);
  }

  /**
   * Starts the group's runnables, and waits until all are ready.
   *
   * @throws {RunnableError} When a runnable is not ready in time, or its promise `ready` rejects.
   * @throws {unknown} The reason of the signal.
   */
  async start(options: GroupStartOptions): Promise<void> {
    options.signal.throwIfAborted();
    this.begin();
    await this.whenReady(this.#members, options);
  }

  /**
   * Waits until runnables of the group that were started are ready.
   *
   * @throws {RunnableError} When a runnable is not ready in time, or its promise `ready` rejects.
   * @throws {unknown} The reason of `signal`.
   */
  async whenReady(
    started: readonly ManagedRunnable[],
    { timeoutMs, signal, clock }: GroupStartOptions,
  ): Promise<void> {
    const waiting = new Set(started);
    using limit = linkedAbort({
      signals: [signal],
      timeoutMs: timeoutMs === Infinity ? undefined : timeoutMs,
      timeoutReason: () => {
        const [late] = waiting;
        const reason = `it is not ready within ${timeoutMs / 1000} s`;
        return new RunnableError(late?.name ?? this.group, "start", new Error(reason));
      },
      clock,
    });
    const ready = Promise.all(
      [...waiting].map((each) => each.whenReady().then(() => waiting.delete(each))),
    );
    await beforeAbort(ready, limit.signal);
  }

  /** Aborts the group's runnables without waiting for their end. */
  abort(reason: unknown): void {
    this.#abort.abort(reason);
  }

  /** Stops the group's runnables and waits until all have ended. Never rejects. */
  async stop(reason: unknown): Promise<void> {
    this.#abort.abort(reason);
    await Promise.all(this.#members.map((member) => member.end()));
  }
}
