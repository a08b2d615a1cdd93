// Mirrors `cel/common/equality.go, CorrelatedObject`.
import type { Json } from "../../values/api_object.ts";
import { goJson } from "../../values/go_text.ts";
import { isMap, jsonEqual, ownField } from "../../values/json_values.ts";
import type { CelSchema } from "../cel_schema.ts";

/**
 * A function that returns the item of the old version of a list that has the same keys as an item
 * of the new version; `undefined` if there is none.
 */
export type FindItem = (item: Json) => Json | undefined;

/**
 * Returns a function that finds the items of the old version of a list by their keys, of several
 * with equal keys the first. The function finds none if the list is not of type `map` or there is
 * no old list, and none for an item of which a key field is absent or no scalar.
 */
export function itemFinder(schema: CelSchema, old: Json | undefined): FindItem {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  if (schema["x-kubernetes-list-type"] !== "map" || keys.length === 0 || !Array.isArray(old)) {
    return () => undefined;
  }
  const keyOf = (item: Json): string | undefined => {
    if (!isMap(item)) return undefined;
    const values = keys.map((key) => ownField(item, key));
    return values.every((value) => value !== undefined && value !== null && !isContainer(value))
      ? goJson(values)
      : undefined;
  };
  const items = new Map<string, Json>();
  for (const item of old) {
    const key = keyOf(item);
    if (key !== undefined && !items.has(key)) items.set(key, item);
  }
  return (item) => {
    const key = keyOf(item);
    return key === undefined ? undefined : items.get(key);
  };
}

function isContainer(value: Json): boolean {
  return typeof value === "object" && value !== null;
}

/**
 * A pair of a value in an updated object and the corresponding value in the old object. CEL rules
 * that an unchanged value violates do not reject an update of other fields.
 */
export class Correlation {
  readonly #value: Json;
  readonly #old: Json;
  readonly #schema: CelSchema;
  #find: FindItem | undefined;
  #unchanged: boolean | undefined;

  constructor(value: Json, old: Json, schema: CelSchema) {
    this.#value = value;
    this.#old = old;
    this.#schema = schema;
  }

  /**
   * Reports whether the update left the value unchanged; the order of items of a list of type `map`
   * does not count. An object with a field that the schema does not declare counts as changed.
   */
  get isUnchanged(): boolean {
    return this.#unchanged ??= this.#compare();
  }

  #compare(): boolean {
    const [value, old] = [this.#value, this.#old];
    if (Array.isArray(value) && Array.isArray(old)) {
      if (value.length !== old.length) return false;
      for (const index of value.keys()) {
        const child = this.item(index);
        if (!child) {
          return this.#schema["x-kubernetes-list-type"] === "map" ? false : jsonEqual(value, old);
        }
        if (!child.isUnchanged) return false;
      }
      return true;
    }
    if (isMap(value) && isMap(old)) {
      const keys = Object.keys(value);
      return keys.length === Object.keys(old).length &&
        keys.every((key) => this.field(key)?.isUnchanged ?? false);
    }
    return jsonEqual(value, old);
  }

  /**
   * Returns the pair of new and old value of a field of the value; `undefined` if the field is
   * absent in the new or the old value, or the schema does not declare the field.
   */
  field(key: string): Correlation | undefined {
    if (!isMap(this.#value) || !isMap(this.#old)) return undefined;
    const [value, old] = [ownField(this.#value, key), ownField(this.#old, key)];
    const { properties, additionalProperties } = this.#schema;
    const schema = properties && Object.hasOwn(properties, key)
      ? properties[key]
      : typeof additionalProperties === "object"
      ? additionalProperties
      : undefined;
    if (value === undefined || old === undefined || !schema) return undefined;
    return new Correlation(value, old, schema);
  }

  /**
   * Returns the pair of new and old value of an item of the value, a list of type `map`;
   * `undefined` if the old list has no item with the same keys.
   */
  item(index: number): Correlation | undefined {
    if (!Array.isArray(this.#value) || !this.#schema.items) return undefined;
    this.#find ??= itemFinder(this.#schema, this.#old);
    const old = this.#find(this.#value[index]!);
    return old === undefined
      ? undefined
      : new Correlation(this.#value[index]!, old, this.#schema.items);
  }
}
