/**
 * An error that another try would not mend: the run counts as failed and is logged, but the key is
 * not requeued until something changes.
 */
export class TerminalError extends Error {
  /** The name of the class. */
  override readonly name = "TerminalError";
}

/**
 * Makes a {@linkcode TerminalError}.
 *
 * @example
 * ```ts
 * import { terminal } from "@xca/operator/controller";
 *
 * function replicasOf(spec: { replicas: number }): number {
 *   if (spec.replicas < 0) throw terminal(`spec.replicas must be at least 0, is ${spec.replicas}`);
 *   return spec.replicas;
 * }
 * console.assert(replicasOf({ replicas: 2 }) === 2);
 * ```
 */
export function terminal(message: string, options?: ErrorOptions): TerminalError {
  return new TerminalError(message, options);
}
