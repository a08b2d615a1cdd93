import { markClass } from "@xca/apimachinery/internal/base";

/**
 * The error that {@linkcode Scheme.decode} throws for a text that is not YAML, and for a document
 * that is not an object of a known kind.
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
  /** The name of this error class, `SchemeError`. */
  override readonly name = "SchemeError";

  static {
    markClass(this, Symbol.for("@xca/operator/SchemeError"));
  }
}
