import { isInstance } from "@xca/apimachinery/internal/base";
import { getLogger } from "@logtape/logtape";
import { errorText } from "@xca/apimachinery/base";
import type { ResourceUse } from "../../controller/definition/resource_use.ts";
import type { Runnable, RunnableGroup } from "../runnable.ts";
import { RunnableError } from "../runnable_error.ts";
import { LeadershipLostError } from "../leader_election/leadership_lost_error.ts";

const logger = getLogger(["xca", "manager"]);

/** A runnable of a manager, from its set-up to its disposal. Each step happens at most once. */
export class ManagedRunnable {
  /** The name of the runnable. */
  readonly name: string;
  /** The group of the runnable. */
  readonly group: RunnableGroup;
  /** The API calls that the runnable declares in {@linkcode Runnable.uses}. */
  readonly uses: readonly ResourceUse[];
  readonly #runnable: Runnable;
  readonly #onFailure: (error: unknown) => void;
  #signal: AbortSignal | undefined;
  #run: Promise<void> | undefined;
  #warmUp: Promise<void> | undefined;
  #disposal: Promise<void> | undefined;
  #isOver = false;
  #isDisposed = false;

  /**
   * Wraps a runnable; `onFailure` receives the error of a run or a warm-up that failed before its
   * stop.
   */
  constructor(runnable: Runnable, onFailure: (error: unknown) => void) {
    this.name = runnable.name;
    this.group = runnable.group ?? "leader";
    this.uses = runnable.uses ?? [];
    this.#runnable = runnable;
    this.#onFailure = onFailure;
  }

  /** Reports whether the runnable was started and its `run` has not ended. */
  get isRunning(): boolean {
    return this.#run !== undefined && !this.#isOver;
  }

  /**
   * Reports whether the end of the runnable has begun and is not over: its run, warm-up or disposal
   * lasts.
   */
  get isEnding(): boolean {
    return this.#disposal !== undefined && !this.#isDisposed;
  }

  /**
   * Calls the set-up of the runnable.
   *
   * @throws {RunnableError} When the set-up of the runnable fails.
   * @throws {unknown} The reason of the signal, when the set-up fails after its abort.
   */
  async setUp(signal: AbortSignal): Promise<void> {
    try {
      await this.#runnable.setUp?.(signal);
    } catch (error) {
      signal.throwIfAborted();
      throw new RunnableError(this.name, "set up", error);
    }
  }

  /**
   * Calls the `warmUp` function of the runnable, which every replica runs, unless it was called
   * before.
   */
  warmUp(signal: AbortSignal): void {
    this.#warmUp ??= this.#guarded(signal, () => this.#runnable.warmUp?.(signal));
  }

  /** Calls the `run` function of the runnable, unless it was called before. */
  start(signal: AbortSignal): void {
    this.#signal = signal;
    this.#run ??= this.#guarded(signal, () => this.#runnable.run(signal))
      .finally(() => this.#isOver = true);
  }

  /**
   * Resolves once the runnable, which was started, is ready or has ended; at once when it has no
   * promise `ready`. Rejects with a {@linkcode RunnableError} when that promise rejects before the
   * stop.
   */
  async whenReady(): Promise<void> {
    try {
      await Promise.race([this.#runnable.ready, this.#run]);
    } catch (error) {
      if (this.#signal?.aborted) return;
      throw new RunnableError(this.name, "start", error);
    }
  }

  /**
   * Returns the problem that the check of the runnable finds or throws, after the name of the
   * runnable; `undefined` when there is none.
   */
  async problem(signal: AbortSignal): Promise<string | undefined> {
    try {
      const problem = await this.#runnable.check?.(signal);
      return problem === undefined ? undefined : `${this.name}: ${problem}`;
    } catch (error) {
      return `${this.name}: ${errorText(error)}`;
    }
  }

  /**
   * Waits until the run has ended, disposes the runnable, and waits until its warm-up has ended.
   * Never rejects.
   */
  end(): Promise<void> {
    return this.#disposal ??= this.#end().finally(() => this.#isDisposed = true);
  }

  async #end(): Promise<void> {
    // A disposal ends what a runnable set up and never ran.
    await this.#run;
    try {
      await this.#runnable[Symbol.asyncDispose]?.();
    } catch (error) {
      this.#logLate(error);
    }
    await this.#warmUp;
  }

  /**
   * Runs a step of the runnable. Its error counts as a failure; after the step was stopped, an
   * error other than the stop's own is only logged. Never rejects.
   */
  async #guarded(signal: AbortSignal, step: () => Promise<void> | undefined): Promise<void> {
    try {
      await step();
    } catch (error) {
      if (signal.aborted) {
        const isStop = error === signal.reason ||
          isInstance(error, DOMException) && error.name === "AbortError";
        if (!isStop) this.#logLate(error);
        return;
      }
      this.#onFailure(
        isInstance(error, LeadershipLostError) ? error : new RunnableError(this.name, "run", error),
      );
    }
  }

  #logLate(error: unknown): void {
    logger.error("{runnable} failed while it was stopping: {error}", {
      runnable: this.name,
      error: errorText(error),
    });
  }
}
