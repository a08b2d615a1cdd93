/**
 * The merge rules of a schema: the types of values, and which lists and maps are owned by item or
 * as a whole. Merge rules are derived from a {@linkcode TypeSchema}, as kube-apiserver derives
 * merge rules from OpenAPI, at their first use, since schemas are large and some are recursive.
 *
 * Mirrors `schemaconv/openapi.go, ToSchemaFromOpenAPI`.
 *
 * @module
 */
import type { TypeSchema } from "../../machinery/type_schema.ts";
import { BuiltinType } from "../../types/builtin_type.ts";

/**
 * The scalar types that kube-apiserver checks in server-side apply; `untyped` accepts each scalar.
 */
export type ScalarType = "numeric" | "string" | "boolean" | "untyped";

/**
 * The merge rules of a type in server-side apply. A type that allows several kinds of values has
 * several of the three fields.
 */
export interface MergeType {
  readonly scalar?: ScalarType;
  readonly list?: ListType;
  readonly map?: MapType;
}

/** The merge rules of a list in server-side apply. */
export interface ListType {
  /** Reports whether field managers own the list as a whole, not item by item. */
  readonly atomic: boolean;
  /** The names of the fields that identify an item of the list; empty for a set of values. */
  readonly keys: readonly string[];
  readonly element: MergeType;
  /**
   * Returns the default value of a key field that an item of the list lacks; `undefined` without a
   * default.
   */
  keyDefault(key: string): unknown;
}

/** The merge rules of an object or map in server-side apply. */
export interface MapType {
  /** Reports whether field managers own the object as a whole, not field by field. */
  readonly atomic: boolean;
  /** Reports whether the object's type declares a field. */
  declares(name: string): boolean;
  /** Returns the merge rules of an object's field; `undefined` if no such field is allowed. */
  field(name: string): MergeType | undefined;
  /** Reports whether the object has no schema, so that all fields are allowed. */
  readonly deduced: boolean;
}

const UNTYPED_ATOMIC: MergeType = {
  scalar: "untyped",
  list: {
    atomic: true,
    keys: [],
    keyDefault: () => undefined,
    get element(): MergeType {
      return UNTYPED_ATOMIC;
    },
  },
  map: { atomic: true, declares: () => false, field: () => UNTYPED_ATOMIC, deduced: false },
};

/** The merge rules of values without a schema: objects are owned by field, lists as a whole. */
export const DEDUCED: MergeType = {
  scalar: "untyped",
  list: { atomic: true, keys: [], keyDefault: () => undefined, element: UNTYPED_ATOMIC },
  map: { atomic: false, declares: () => false, field: () => DEDUCED, deduced: true },
};

const known = new WeakMap<TypeSchema, MergeType>();
const knownPreserving = new WeakMap<TypeSchema, MergeType>();

/**
 * Returns the rules by which server-side apply merges values of a schema. `preserving` means that
 * an outer schema preserves unknown fields.
 */
export function mergeTypeOf(schema: TypeSchema, preserving = false): MergeType {
  // A type with its own name in OpenAPI is independent of where it is used.
  const preserves = schema instanceof BuiltinType ? false : preserving || schema.preserveUnknown;
  const cache = preserves ? knownPreserving : known;
  let type = cache.get(schema);
  if (type === undefined) {
    type = derive(schema, cache === knownPreserving);
    cache.set(schema, type);
  }
  return type;
}

function derive(schema: TypeSchema, preserving: boolean): MergeType {
  switch (schema.type) {
    case "object":
      return { map: new SchemaMap(schema, preserving) };
    case "array":
      return { list: new SchemaList(schema, preserving) };
    case "integer":
    case "number":
      return { scalar: "numeric" };
    case "boolean":
      return { scalar: "boolean" };
    case "string": {
      const plain = schema.format === undefined || schema.format === "" || schema.format === "byte";
      return { scalar: plain ? "string" : "untyped" };
    }
    default:
      return anything(schema, preserving);
  }
}

/**
 * Returns the merge rules of a schema without a type: any scalar if the schema has a format;
 * otherwise any value, which is atomic if the schema describes neither fields nor items nor values,
 * and unknown fields are not preserved.
 */
function anything(schema: TypeSchema, preserving: boolean): MergeType {
  if (schema.format !== undefined && schema.format !== "") return { scalar: "untyped" };
  if (!preserving && !schema.fields && !schema.items && !schema.values) return UNTYPED_ATOMIC;
  return {
    scalar: "untyped",
    list: new SchemaList(schema, preserving),
    map: new SchemaMap(schema, preserving),
  };
}

class SchemaMap implements MapType {
  readonly atomic: boolean;
  readonly deduced: boolean;
  readonly #schema: TypeSchema;
  readonly #preserving: boolean;
  readonly #fields = new Map<string, MergeType>();
  #others: MergeType | undefined;

  constructor(schema: TypeSchema, preserving: boolean) {
    this.#schema = schema;
    this.#preserving = preserving;
    this.atomic = schema.mapType === "atomic";
    const named = Object.keys(schema.fields ?? {}).length > 0;
    this.deduced = !named && schema.values === undefined;
    if (this.deduced || (preserving && schema.values === undefined)) this.#others = DEDUCED;
  }

  declares(name: string): boolean {
    const fields = this.#schema.fields;
    return fields !== undefined && Object.hasOwn(fields, name);
  }

  field(name: string): MergeType | undefined {
    let type = this.#fields.get(name);
    if (type === undefined && this.declares(name)) {
      type = mergeTypeOf(this.#schema.fields![name]!, this.#preserving);
      this.#fields.set(name, type);
    }
    return type ?? this.#otherFields();
  }

  #otherFields(): MergeType | undefined {
    const { values } = this.#schema;
    return this.#others ??= values && mergeTypeOf(values, this.#preserving);
  }
}

class SchemaList implements ListType {
  readonly atomic: boolean;
  readonly keys: readonly string[];
  readonly #schema: TypeSchema;
  readonly #preserving: boolean;
  #element: MergeType | undefined;

  constructor(schema: TypeSchema, preserving: boolean) {
    this.#schema = schema;
    this.#preserving = preserving;
    const { listType, mapKeys, patchStrategy, patchMergeKey } = schema;
    const merges = patchStrategy === "merge" || patchStrategy === "merge,retainKeys";
    this.atomic = listType === undefined ? !merges : listType === "atomic";
    if (listType === "map") this.keys = mapKeys ?? [];
    else this.keys = listType === undefined && merges && patchMergeKey ? [patchMergeKey] : [];
  }

  get element(): MergeType {
    const { items } = this.#schema;
    return this.#element ??= items ? mergeTypeOf(items, this.#preserving) : UNTYPED_ATOMIC;
  }

  keyDefault(key: string): unknown {
    const field = this.#schema.items?.fields?.[key];
    if (field?.default !== undefined) return field.default;
    return field instanceof BuiltinType ? zeroOf(field) : undefined;
  }
}

/**
 * Returns the zero value of a Go type, which OpenAPI has as the default of fields that are never
 * omitted.
 */
function zeroOf({ shape, pointer, omitEmpty }: BuiltinType): unknown {
  if (pointer || omitEmpty) return undefined;
  if (shape === "string") return "";
  return shape === "int32" || shape === "int64" ? 0 : undefined;
}
