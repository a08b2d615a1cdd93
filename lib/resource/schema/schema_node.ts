import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import type { AnySchema, Schema } from "./schema.ts";
import { SchemaError, type SchemaProblem } from "./schema_error.ts";

/** The immutability of a field: `true`, or `once-set` for one that may be added later. */
export type Immutability = boolean | "once-set";

/** The parts of a schema beside its JSON. */
export interface NodeInit {
  readonly json: V1JSONSchemaProps;
  readonly presence?: "optional" | "defaulted" | undefined;
  /** The immutability, from which an object derives rules about the presence of its field. */
  readonly immutable?: Immutability | undefined;
  readonly problems?: readonly SchemaProblem[];
}

/** The implementation of {@linkcode Schema}: JSON, and the problems that reading it reports. */
export class SchemaNode<Stored, Input = Stored> implements Schema<Stored, Input> {
  /** The mark of a field that an object may lack. */
  declare readonly presence?: "optional" | "defaulted";
  /** The types of the value for the compiler; never set. */
  declare readonly types?: { readonly stored: Stored; readonly input: Input };
  /** The immutability of a field of this schema. */
  readonly immutable: Immutability;
  /** The faults of the schema, those below it included. */
  readonly problems: readonly SchemaProblem[];
  /** The JSON schema, whether or not it has problems. */
  readonly unchecked: V1JSONSchemaProps;

  constructor({ json, presence, immutable = false, problems = [] }: NodeInit) {
    if (presence !== undefined) this.presence = presence;
    this.immutable = immutable;
    this.problems = problems;
    this.unchecked = frozen(json);
    Object.freeze(this);
  }

  /**
   * The structural JSON schema; frozen.
   *
   * @throws {SchemaError} When the schema has problems.
   */
  get json(): V1JSONSchemaProps {
    if (this.problems.length > 0) throw new SchemaError(this.problems);
    return this.unchecked;
  }
}

/** Returns a schema as its implementation; one of the user's own making is taken by its JSON. */
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

/** Returns a schema as that of an optional field. */
export function asOptional(node: SchemaNode<unknown>): SchemaNode<unknown> {
  const { unchecked: json, immutable, problems } = node;
  return new SchemaNode<unknown>({ json, immutable, problems, presence: "optional" });
}

/** Freezes a JSON value with everything below it. */
function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}
