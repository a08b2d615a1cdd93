/**
 * Thrown by {@linkcode Scheme.decode} for a text that is not YAML, and for a document that is no
 * object of a known kind.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createScheme, SchemeError } from "@xca/operator/resource";
 *
 * await assert.rejects(createScheme().decode("kind: Lock"), SchemeError);
 * ```
 */
export class SchemeError extends Error {
  /** The name of the error's class. */
  override readonly name = "SchemeError";
}
