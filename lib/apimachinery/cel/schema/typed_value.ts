// Mirrors `cel/common/valuesunstructured.go, UnstructuredToVal`.
import type { Json, JsonObject } from "../../values/api_object.ts";
import { goType } from "../../values/go_values.ts";
import type { CelSchema } from "../cel_schema.ts";
import { parseDuration, parseTimestamp } from "../values/go_time.ts";
import { parseLongDuration } from "../../validation/long_duration.ts";
import {
  CelBytes,
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelTimestamp,
  type CelValue,
} from "../values/value.ts";
import { withTypeAndMetadata } from "./declared_type.ts";
import { escapeProperty, unescapeProperty } from "./escaping.ts";
import { addToMap, addToSet, entryKey, equalMaps, equalSets } from "./keyed_lists.ts";
import { untypedValue } from "./untyped_value.ts";

/**
 * Converts a JSON value to a CEL value by its schema. The result is a `CelError` for a value that
 * does not match the schema, such as a null that the schema does not allow. A schema without a type
 * converts like {@linkcode untypedValue}. The contents of lists and maps are converted on access.
 */
export function typedValue(value: Json | undefined, schema: CelSchema): CelValue {
  if (value === null || value === undefined) {
    if (schema.nullable) return null;
    return new CelError("invalid data, got null for schema with nullable=false");
  }
  if (schema["x-kubernetes-int-or-string"]) return intOrText(value);
  switch (schema.type) {
    case "object":
      return typeof value === "object" && !Array.isArray(value)
        ? new TypedMap(value, schema)
        : wrong("a map for the provided schema with type=object");
    case "array":
      return Array.isArray(value) ? typedList(value, schema) : wrong(
        "an array for the provided schema with type=array",
      );
    case "string":
      return typeof value === "string"
        ? typedText(value, schema)
        : wrong(`string, got ${goType(value)}`);
    case "number":
      return typeof value === "number" ? value : wrong(`float, got ${goType(value)}`);
    case "integer":
      return typeof value === "number" && Number.isInteger(value)
        ? BigInt(value)
        : wrong(`int, got ${goType(value)}`);
    case "boolean":
      return typeof value === "boolean" ? value : wrong(`bool, got ${goType(value)}`);
  }
  return untypedValue(value);
}

function wrong(expected: string): CelError {
  return new CelError(`invalid data, expected ${expected}`);
}

function intOrText(value: Json): CelValue {
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value);
  return new CelError(
    "invalid data, expected XIntOrString value to be either a string or integer",
  );
}

function typedText(text: string, { format }: CelSchema): CelValue {
  switch (format) {
    case "duration": {
      const nanoseconds = parseDuration(text) ?? parseLongDuration(text);
      return nanoseconds === undefined
        ? new CelError(`Invalid duration ${text}: unable to parse ${text} as duration`)
        : new CelDuration(nanoseconds);
    }
    case "date":
      return moment(`${text}T00:00:00Z`) ??
        new CelError(`Invalid date formatted string ${text}`);
    case "date-time":
      return moment(text) ?? new CelError(`Invalid date-time formatted string ${text}`);
    case "byte":
      return decodeBase64(text) ?? new CelError(`Invalid byte formatted string ${text}`);
    default:
      return text;
  }
}

function moment(text: string): CelTimestamp | undefined {
  const nanoseconds = parseTimestamp(text.replace(" ", "T"));
  return nanoseconds === undefined ? undefined : new CelTimestamp(nanoseconds);
}

function decodeBase64(text: string): CelBytes | undefined {
  try {
    return new CelBytes(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

function typedList(items: Json[], schema: CelSchema): CelValue {
  if (!schema.items) {
    return new CelError("invalid array type, expected Items with a non-empty Schema");
  }
  switch (schema["x-kubernetes-list-type"]) {
    case "map":
      return new MapList(items, schema.items, schema["x-kubernetes-list-map-keys"] ?? []);
    case "set":
      return new SetList(items, schema.items);
    default:
      return new TypedList(items, schema.items);
  }
}

/**
 * A CEL map over a JSON object with a schema, which converts values on access. Keys are the escaped
 * property names, or the keys as they are if the schema declares no properties.
 */
class TypedMap extends CelMap {
  readonly #value: JsonObject;
  readonly #properties: Readonly<Record<string, CelSchema>> | undefined;
  readonly #values: CelSchema | undefined;

  constructor(value: JsonObject, schema: CelSchema) {
    super();
    this.#value = value;
    const isRoot = schema["x-kubernetes-embedded-resource"] === true;
    this.#properties = (isRoot ? withTypeAndMetadata(schema) : schema).properties;
    const { additionalProperties } = schema;
    this.#values = typeof additionalProperties === "object" ? additionalProperties : undefined;
  }

  override get size(): number {
    return Object.keys(this.#value).length;
  }

  #schemaOf(key: string): CelSchema | undefined {
    if (!this.#properties) return this.#values;
    return Object.hasOwn(this.#properties, key) ? this.#properties[key] : undefined;
  }

  override *keys(): Generator<CelValue> {
    for (const key of Object.keys(this.#value)) {
      if (!this.#schemaOf(key)) continue;
      yield this.#properties ? escapeProperty(key) ?? key : key;
    }
  }

  override find(key: CelValue): CelValue | undefined {
    if (typeof key !== "string") return new CelError("no such overload");
    const name = this.#properties ? unescapeProperty(key) : key;
    if (name === undefined || !Object.hasOwn(this.#value, name)) return undefined;
    const value = this.#value[name];
    if (this.#properties && (value === null || value === undefined)) return undefined;
    const schema = this.#schemaOf(name);
    return schema && typedValue(value, schema);
  }
}

type Equal = (a: CelValue, b: CelValue) => CelValue;

/** A CEL list over a JSON list whose items have a schema; items are converted on access. */
class TypedList extends CelList {
  override readonly takesIntsOnly: boolean = true;
  protected readonly items: readonly Json[];
  protected readonly schema: CelSchema;

  constructor(items: readonly Json[], schema: CelSchema) {
    super();
    this.items = items;
    this.schema = schema;
  }

  override get size(): number {
    return this.items.length;
  }

  override get(index: number): CelValue {
    return typedValue(this.items[index], this.schema);
  }
}

/**
 * A CEL list of type `set` over a JSON list: its order does not count, and adding appends new items
 * only.
 */
class SetList extends TypedList {
  override equalsList(other: CelList): CelValue {
    return equalSets(this, other);
  }

  override addList(other: CelList): CelValue {
    return addToSet(this, other);
  }
}

/**
 * A CEL list of type `map` over a JSON list. The values of some fields of an item are its key; the
 * order of the items does not count, and adding a list replaces items with the same key.
 */
class MapList extends TypedList {
  readonly #names: readonly string[];

  constructor(items: readonly Json[], schema: CelSchema, keys: readonly string[]) {
    super(items, schema);
    this.#names = keys.map((key) => escapeProperty(key) ?? key);
  }

  override equalsList(other: CelList, equal: Equal): CelValue {
    // Upstream compares the keys of objects within the validated object only, not those of map
    // literals.
    const keyOf = (entry: CelValue): string | undefined =>
      entry instanceof TypedMap ? entryKey(entry, this.#names) : undefined;
    return equalMaps(this, other, this.#names, equal, keyOf);
  }

  override addList(other: CelList): CelValue {
    return addToMap(this, other, this.#names);
  }
}
