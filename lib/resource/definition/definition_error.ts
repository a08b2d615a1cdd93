import { markClass } from "@xca/apimachinery/internal/base";

/**
 * The error that {@linkcode defineResource} throws for a definition with faults: one that an API
 * server would refuse, or, for example, one with a printer column of a field that the schema lacks.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { defineResource, ResourceDefinitionError } from "@xca/operator/resource";
 *
 * const define = () => defineResource({ group: "Example", version: "v1", kind: "lock" });
 * assert.throws(define, (error) => {
 *   return error instanceof ResourceDefinitionError && error.problems.length === 2;
 * });
 * ```
 */
export class ResourceDefinitionError extends TypeError {
  /** The name of this error class, `ResourceDefinitionError`. */
  override readonly name = "ResourceDefinitionError";

  /**
   * Creates an error that lists the faults of a resource's definition.
   *
   * @param resource The kind of the resource, or a phrase for a definition without a kind.
   * @param problems The faults, at least one.
   */
  constructor(
    resource: string,
    /** The problems of the definition as texts; most name the field. */
    readonly problems: readonly string[],
  ) {
    super(
      problems.length === 1
        ? `Cannot define resource ${resource}: ${problems[0]}`
        : `Cannot define resource ${resource}, for ${problems.length} reasons:\n- ` +
          problems.join("\n- "),
    );
  }

  static {
    markClass(this, Symbol.for("@xca/operator/ResourceDefinitionError"));
  }
}
