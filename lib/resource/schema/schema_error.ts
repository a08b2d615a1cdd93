import { markClass } from "@xca/apimachinery/internal/base";

/** A problem of an invalid schema. */
export interface SchemaProblem {
  /**
   * The path of the field with the schema problem, such as `spec.ports[].name`; empty for the
   * schema itself.
   */
  readonly path: string;
  /** The description of the schema problem, often with a remedy. */
  readonly message: string;
}

/**
 * The error about an invalid schema, with the problems that were found: for example, an API server
 * would refuse it, or it could not be converted.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { s, SchemaError } from "@xca/operator/resource";
 *
 * const spec = s.object({ port: s.integer({ minimum: 1, default: 0 }) });
 * assert.throws(() => spec.json, (error) => {
 *   return error instanceof SchemaError && error.problems[0]?.path === "port";
 * });
 * ```
 */
export class SchemaError extends Error {
  /** The name of this error class, `SchemaError`. */
  override readonly name = "SchemaError";

  /**
   * Creates an error that lists the problems of a schema.
   *
   * @param problems The problems, at least one.
   */
  constructor(
    /** The problems of the schema, each with the path of its field. */
    readonly problems: readonly SchemaProblem[],
  ) {
    const lines = problems.map(({ path, message }) =>
      path === "" ? message : `${path}: ${message}`
    );
    super(
      lines.length === 1
        ? `Cannot define the schema: ${lines[0]}`
        : `Cannot define the schema, for ${lines.length} reasons:\n- ${lines.join("\n- ")}`,
    );
  }

  static {
    markClass(this, Symbol.for("@xca/operator/SchemaError"));
  }
}

/**
 * Returns a copy of a problem with its path prefixed by the path of a field; the step to items is
 * written `[]`, that to the values of a map `{}`.
 */
export function below(field: string, { path, message }: SchemaProblem): SchemaProblem {
  return { path: joined(field, path), message };
}

/**
 * Returns a field path followed by a path below it: `spec.ports` for `spec` and `ports`, `ports[]`
 * for `ports` and `[]`, and the other path if one is empty.
 */
export function joined(field: string, path: string): string {
  const isAppended = field === "" || path === "" || path.startsWith("[") || path.startsWith("{");
  return isAppended ? field + path : `${field}.${path}`;
}
