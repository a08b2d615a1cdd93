import type { Operator } from "../../controller/definition/operator_definition.ts";
import { runOperator, type RunOperatorOptions } from "../../controller/operator/run_operator.ts";
import type { OperatorHandle } from "../../controller/ports/operator_progress.ts";
import type { Runnable, RunnableGroup } from "../runnable.ts";
import { beforeAbort } from "@xca/apimachinery/internal/base";

/** Options for {@linkcode ManagedOperator}, an operator that a manager runs. */
export interface ManagedOperatorOptions extends Omit<RunOperatorOptions, "signal" | "startWhen"> {
  /** The function that runs the operator. @default {runOperator} */
  readonly run?: typeof runOperator | undefined;
  /** Checks, when the manager sets up the operator, that the operator can run. @default none */
  readonly check?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** The callback that runs when the operator has ended, also by a failure. @default none */
  readonly onStopped?: (() => void) | undefined;
}

/**
 * An operator as a runnable: its caches fill with the warm-up, and its reconcilers run once the
 * gate is open. The operator stops before the caches.
 */
export class ManagedOperator implements Runnable {
  readonly name: string;
  readonly group: RunnableGroup = "leader";
  /** The handle on the running operator, which waits for the warm-up. */
  readonly handle: OperatorHandle;
  readonly #options: ManagedOperatorOptions;
  readonly #warm = Promise.withResolvers<void>();
  readonly #stop = new AbortController();

  /**
   * Starts the operator, which requests its informers and then waits for the warm-up.
   *
   * @throws {TypeError} When an option is wrong, or the informers cannot be shared.
   * @throws {RangeError} When an option is out of range.
   */
  constructor(operator: Operator, options: ManagedOperatorOptions) {
    const { run = runOperator, check: _, onStopped: __, ...rest } = options;
    this.name = operator.name;
    this.#options = options;
    this.handle = run(operator, {
      ...rest,
      signal: this.#stop.signal,
      startWhen: (signal) => beforeAbort(this.#warm.promise, signal),
    });
    const stopped = (): void => options.onStopped?.();
    void this.handle.done.then(stopped, stopped);
  }

  async setUp(signal: AbortSignal): Promise<void> {
    await this.#options.check?.(signal);
  }

  async warmUp(signal: AbortSignal): Promise<void> {
    const stop = (): void => this.#stop.abort(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    this.#warm.resolve();
    await this.handle.done;
  }

  async run(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      if (signal.aborted) return resolve();
      signal.addEventListener("abort", () => resolve(), { once: true });
      this.handle.done.then(resolve, resolve);
    });
    this.#stop.abort(signal.reason);
    await this.#ended();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new DOMException(`the manager of ${this.name} has stopped`, "AbortError"));
    await this.#ended();
  }

  /** Resolves when the operator has ended, also by a failure. Never rejects. */
  #ended(): Promise<void> {
    return this.handle.done.catch(() => {});
  }
}
