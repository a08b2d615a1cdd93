/**
 * What a schema says about merging: what a value may be, which lists and maps are owned item by item,
 * and which as a whole. Derived from a {@linkcode TypeSchema} as the real server derives it from
 * OpenAPI, part by part when asked, since schemas are large and some contain themselves.
 *
 * @module
 */
import type { TypeSchema } from "../machinery/type_schema.ts";
import { BuiltinType } from "../types/builtin_type.ts";

/** What the real server checks of a scalar. */
export type ScalarType = "numeric" | "string" | "boolean" | "untyped";

/** How values of one type merge. A type that may be several things has several of the three. */
export interface MergeType {
  readonly scalar?: ScalarType;
  readonly list?: ListType;
  readonly map?: MapType;
}

/** How a list merges. */
export interface ListType {
  /** Owned as a whole. */
  readonly atomic: boolean;
  /** The fields that identify an item; none: the items are values of a set. */
  readonly keys: readonly string[];
  readonly element: MergeType;
  /** The default of a key field that an item leaves out. */
  keyDefault(key: string): unknown;
}

/** How an object merges. */
export interface MapType {
  /** Owned as a whole. */
  readonly atomic: boolean;
  /** Whether the type names this field. */
  declares(name: string): boolean;
  /** The type of a field; `undefined` when there may be none of this name. */
  field(name: string): MergeType | undefined;
  /** Nothing is known of the fields, and nothing is said. */
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

/** The type of what no schema describes: objects are owned by field, lists as a whole. */
export const DEDUCED: MergeType = {
  scalar: "untyped",
  list: { atomic: true, keys: [], keyDefault: () => undefined, element: UNTYPED_ATOMIC },
  map: { atomic: false, declares: () => false, field: () => DEDUCED, deduced: true },
};

const known = new WeakMap<TypeSchema, MergeType>();
const knownPreserving = new WeakMap<TypeSchema, MergeType>();

/** How values of a schema merge. `preserving`: an outer schema keeps unknown fields. */
export function mergeTypeOf(schema: TypeSchema, preserving = false): MergeType {
  // A type that has a name of its own in OpenAPI is what it is wherever it stands.
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

/** No JSON type is said: any scalar, and for a custom resource any list and object as well. */
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

/** OpenAPI gives fields that are always there their zero as the default. */
function zeroOf({ shape, pointer, omitEmpty }: BuiltinType): unknown {
  if (pointer || omitEmpty) return undefined;
  if (shape === "string") return "";
  return shape === "int32" || shape === "int64" ? 0 : undefined;
}
