import { markClass } from "@xca/apimachinery/internal/base";
import { errorText } from "@xca/apimachinery/base";

/**
 * Error of a runnable that stopped its manager. The message names the runnable, and `cause` is the
 * reason, such as the error that the runnable threw.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { RunnableError } from "@xca/operator/manager";
 *
 * const error = new RunnableError("metrics", "set up", new Error("port 8080 is in use"));
 * assert.equal(error.message, "Cannot set up metrics: port 8080 is in use");
 * ```
 */
export class RunnableError extends Error {
  /** The name of this error class, `RunnableError`. */
  override readonly name = "RunnableError";
  /** The name of the runnable that failed. */
  readonly runnable: string;

  /** Creates an error about a runnable, the step that failed and the reason. */
  constructor(runnable: string, step: "set up" | "start" | "run" | "stop", cause: unknown) {
    // A thrown `undefined` or `null` has no text of its own.
    const reason = errorText(cause) || `the reason is ${String(cause)}`;
    super(`Cannot ${step} ${runnable}: ${reason}`, { cause });
    this.runnable = runnable;
  }

  static {
    markClass(this, Symbol.for("@xca/operator/RunnableError"));
  }
}
