import { isMarked, mark } from "@xca/apimachinery/internal/base";

/** The mark of a {@linkcode TerminalError}, the same for every copy of this library in one process. */
const TERMINAL = Symbol.for("@xca/operator/TerminalError");

/**
 * An error that another try would not mend: the run counts as failed and is logged, but the key is
 * not requeued until something changes.
 *
 * `instanceof` knows it across copies of this library too: the program that runs an operator may
 * bring another copy than the module that defines it.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { terminal, TerminalError } from "@xca/operator/controller";
 *
 * const cause = new RangeError("-1");
 * const error = terminal("spec.replicas must be at least 0", { cause });
 * assert(error instanceof TerminalError && error.cause === cause);
 * ```
 */
export class TerminalError extends Error {
  /** The name of the class. */
  override readonly name = "TerminalError";

  /** Makes an error. */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    mark(this, TERMINAL);
  }

  /** Whether a value is a terminal error, of this copy of the library or of another. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isMarked(value, TERMINAL, this, TerminalError);
  }
}

/**
 * Makes a {@linkcode TerminalError}.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { terminal } from "@xca/operator/controller";
 *
 * function replicasOf(spec: { replicas: number }): number {
 *   if (spec.replicas < 0) throw terminal(`spec.replicas must be at least 0, is ${spec.replicas}`);
 *   return spec.replicas;
 * }
 * assert(replicasOf({ replicas: 2 }) === 2);
 * ```
 */
export function terminal(message: string, options?: ErrorOptions): TerminalError {
  return new TerminalError(message, options);
}
