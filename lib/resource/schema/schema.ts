import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";

/**
 * The schema of a value in custom resources, with the TypeScript types of the value. The functions
 * of `s` create schemas; {@linkcode Stored} and {@linkcode Input} are the TypeScript types of a
 * schema's values.
 *
 * A schema is immutable, and several schemas can contain the same one.
 *
 * @typeParam Stored The type of a value as the API server stores it: defaults are filled in.
 * @typeParam Input The type of a value as users write it: fields with defaults are optional.
 */
export interface Schema<Stored, Input = Stored> {
  /**
   * The structural JSON schema of the described value, in the form of a CustomResourceDefinition;
   * frozen.
   *
   * @throws {SchemaError} On reading, when the schema has problems, such as a default that does not
   * match; the error names each with the path of its field.
   */
  readonly json: V1JSONSchemaProps;
  /**
   * The presence of a field with this schema: `optional` if an object may lack the field,
   * `defaulted` if only users may omit it; absent for a required field.
   */
  readonly presence?: "optional" | "defaulted";
  /**
   * The TypeScript types of the described value, for type inference only; never set at run time.
   */
  readonly types?: { readonly stored: Stored; readonly input: Input };
}

/**
 * The schema of a field that an object may lack, also in its stored form; `s.optional` creates it.
 */
export interface OptionalSchema<Stored, Input = Stored> extends Schema<Stored, Input> {
  /**
   * The mark of the schema of an optional field, for TypeScript and at run time: the schema of the
   * object does not list the field in `required`.
   */
  readonly presence: "optional";
}

/** The schema of a field with a default: users may omit the field, and stored objects have it. */
export interface DefaultedSchema<Stored, Input = Stored> extends Schema<Stored, Input> {
  /**
   * The mark of the schema of a field whose default the API server fills in, for TypeScript and at
   * run time: the schema of the object does not list the field in `required`.
   */
  readonly presence: "defaulted";
}

/** The TypeScript type of every schema, whatever the types of its values. */
// deno-lint-ignore no-explicit-any
export type AnySchema = Schema<any, any>;

/**
 * The TypeScript type of a schema's value as the API server stores it: fields with defaults are
 * always present.
 *
 * @example
 * ```ts
 * import { s, type Stored } from "@xca/operator/resource";
 *
 * const spec = s.object({ replicas: s.integer({ default: 1 }), note: s.optional(s.string()) });
 * const stored: Stored<typeof spec> = { replicas: 1 };
 * ```
 */
export type Stored<S extends AnySchema> = NonNullable<S["types"]>["stored"];

/**
 * The TypeScript type of a schema's value as users write it: fields with defaults are optional.
 *
 * @example
 * ```ts
 * import { type Input, s } from "@xca/operator/resource";
 *
 * const spec = s.object({ replicas: s.integer({ default: 1 }), note: s.optional(s.string()) });
 * const input: Input<typeof spec> = {};
 * ```
 */
export type Input<S extends AnySchema> = NonNullable<S["types"]>["input"];

/** The schemas of an object's fields, by name. */
export type Fields = Readonly<Record<string, AnySchema>>;

/** The union type of the names of the fields that a stored object may lack. */
export type OptionalInStored<F extends Fields> = {
  [K in keyof F]: F[K] extends { readonly presence: "optional" } ? K : never;
}[keyof F];

/** The union type of the names of the fields that users may omit. */
export type OptionalInInput<F extends Fields> = {
  [K in keyof F]: F[K] extends { readonly presence: "optional" | "defaulted" } ? K : never;
}[keyof F];

/** The type of an intersection as a single object type, which editors display in full. */
export type Flat<T> = { [K in keyof T]: T[K] };

/** The TypeScript type of a stored object with the given field schemas. */
export type StoredObject<F extends Fields> = Flat<
  & { -readonly [K in Exclude<keyof F, OptionalInStored<F>>]: Stored<F[K]> }
  & { -readonly [K in OptionalInStored<F>]?: Stored<F[K]> }
>;

/** The type of an object with the given field schemas, for writes by users. */
export type InputObject<F extends Fields> = Flat<
  & { -readonly [K in Exclude<keyof F, OptionalInInput<F>>]: Input<F[K]> }
  & { -readonly [K in OptionalInInput<F>]?: Input<F[K]> }
>;
