import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import type { AnySchema, Schema } from "./schema.ts";
import { SchemaError, type SchemaProblem } from "./schema_error.ts";

/**
 * The immutability of a field: `true`, `false`, or `once-set` for a field that may be added later.
 */
export type Immutability = boolean | "once-set";

/**
 * The JSON of a schema and its other properties, from which a {@linkcode SchemaNode} is created.
 */
export interface NodeInit {
  readonly json: V1JSONSchemaProps;
  readonly presence?: "optional" | "defaulted" | undefined;
  /**
   * The immutability of the field, from which an object's schema derives rules about the field's
   * presence.
   */
  readonly immutable?: Immutability | undefined;
  readonly problems?: readonly SchemaProblem[];
}

/** The internal implementation of {@linkcode Schema}: the JSON schema and its problems. */
export class SchemaNode<Stored, Input = Stored> implements Schema<Stored, Input> {
  /**
   * The presence of a field with this schema: `optional` if an object may lack the field,
   * `defaulted` if only users may omit it; absent for a required field.
   */
  declare readonly presence?: "optional" | "defaulted";
  /**
   * The TypeScript types of the described value, for type inference only; never set at run time.
   */
  declare readonly types?: { readonly stored: Stored; readonly input: Input };
  /** The immutability of a field with this schema. */
  readonly immutable: Immutability;
  /** The problems of the schema, including those of nested schemas. */
  readonly problems: readonly SchemaProblem[];
  /** The JSON schema, which is also available when the schema has problems. */
  readonly unchecked: V1JSONSchemaProps;

  constructor({ json, presence, immutable = false, problems = [] }: NodeInit) {
    if (presence !== undefined) this.presence = presence;
    this.immutable = immutable;
    this.problems = problems;
    this.unchecked = frozen(json);
    Object.freeze(this);
  }

  /**
   * The structural JSON schema of the described value; frozen.
   *
   * @throws {SchemaError} On reading, when the schema has problems.
   */
  get json(): V1JSONSchemaProps {
    if (this.problems.length > 0) throw new SchemaError(this.problems);
    return this.unchecked;
  }
}

/**
 * Returns the internal implementation of a schema. For a foreign implementation, a new one is
 * created from its JSON; for a value that is no schema, one with a problem.
 */
export function nodeOf(schema: AnySchema): SchemaNode<unknown> {
  if (schema instanceof SchemaNode) return schema;
  const json: unknown = schema?.json;
  if (typeof json === "object" && json !== null) {
    const hasDefault = ((json as V1JSONSchemaProps).default ?? undefined) !== undefined;
    const presence = schema.presence ?? (hasDefault ? "defaulted" : undefined);
    return new SchemaNode({ json: structuredClone(json), presence });
  }
  const message =
    "must be a schema of s, such as s.string(); import one of zod or JSON Schema by " +
    "fromStandardSchema or fromJsonSchema";
  return new SchemaNode({ json: {}, problems: [{ path: "", message }] });
}

/** Returns a copy of a schema in which the field with the schema is optional. */
export function asOptional(node: SchemaNode<unknown>): SchemaNode<unknown> {
  const { unchecked: json, immutable, problems } = node;
  return new SchemaNode<unknown>({ json, immutable, problems, presence: "optional" });
}

/**
 * Freezes a JSON value in place, with all values nested in it, and returns the value. Does not look
 * into values that are frozen already.
 */
function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}
