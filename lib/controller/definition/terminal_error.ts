import { markClass } from "@xca/apimachinery/internal/base";

/**
 * An error that a reconciler throws when a retry would not help: the run counts as failed and is
 * logged, and the key is not requeued until an event leads to it.
 *
 * `instanceof` recognizes errors of other copies of this library too: the program that runs an
 * operator may load another copy than the module that defines it.
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
  /** The name of this error class, `TerminalError`. */
  override readonly name = "TerminalError";

  /** Creates a terminal error with a message and, in `options`, its cause. */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
  }

  static {
    markClass(this, Symbol.for("@xca/operator/TerminalError"));
  }
}

/**
 * Returns a new {@linkcode TerminalError}, with `cause` in `options`, for a reconciler to throw.
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
