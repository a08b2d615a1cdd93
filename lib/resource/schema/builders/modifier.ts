import type { DefaultedSchema, OptionalSchema, Schema } from "../schema.ts";
import { nodeOf, SchemaNode } from "../schema_node.ts";

/**
 * Creates the schema of an optional field: users may omit it, and then stored objects lack it too.
 * A field with a default is optional for users already; `s.optional` of its schema is invalid.
 *
 * @example
 * ```ts
 * import { s, type Stored } from "@xca/operator/resource";
 *
 * const spec = s.object({ note: s.optional(s.string()) });
 * const stored: Stored<typeof spec> = {};
 * ```
 */
export function optional<S, I>(schema: Schema<S, I>): OptionalSchema<S, I> {
  const { unchecked: json, immutable, problems } = nodeOf(schema);
  const withDefault = json.default === undefined ? [] : [{
    path: "",
    message: "an optional field cannot have a default: the API server fills it in; " +
      "drop s.optional or the default",
  }];
  const node = { json, immutable, problems: [...withDefault, ...problems] };
  return new SchemaNode<S, I>({ ...node, presence: "optional" }) as OptionalSchema<S, I>;
}

/**
 * Creates the schema of a value that can also be `null`. Without `s.nullable`, the API server drops
 * a `null`: the field is then absent, or gets its default.
 *
 * @example
 * ```ts
 * import { s, type Stored } from "@xca/operator/resource";
 *
 * const spec = s.object({ owner: s.nullable(s.string()) });
 * const stored: Stored<typeof spec> = { owner: null };
 * ```
 */
export function nullable<S, I>(schema: OptionalSchema<S, I>): OptionalSchema<S | null, I | null>;
export function nullable<S, I>(schema: DefaultedSchema<S, I>): DefaultedSchema<S | null, I | null>;
export function nullable<S, I>(schema: Schema<S, I>): Schema<S | null, I | null>;
export function nullable<S, I>(schema: Schema<S, I>): Schema<S | null, I | null> {
  const { unchecked, presence, immutable, problems } = nodeOf(schema);
  const { enum: values, ...rest } = unchecked;
  // The API server rejects null for every enum, and skips an enum within allOf for null.
  const json = { ...rest, ...(values && { allOf: [{ enum: values }] }), nullable: true };
  return new SchemaNode({ json, presence, immutable, problems });
}
