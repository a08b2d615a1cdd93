// Mirrors `cel/common/equality.go, CorrelatedObject`.
import { canonicalJson, isMap, jsonEqual } from "../../values/json_values.ts";
import { itemsOf, type JsonSchema, propertyOf, valuesOf } from "../structural/json_schema.ts";

/**
 * A pair of a value in an updated object and its old value: fields of maps correlate by name, items
 * of lists of type `map` by key. Items of other lists do not correlate.
 */
export class Correlation {
  readonly #value: unknown;
  readonly #old: unknown;
  readonly #schema: JsonSchema;
  #isUnchanged: boolean | undefined;
  #oldByKey: Map<string, unknown> | undefined;

  constructor(value: unknown, old: unknown, schema: JsonSchema) {
    this.#value = value;
    this.#old = old;
    this.#schema = schema;
  }

  /**
   * Reports whether the update left the correlated value unchanged; the order of items of a list of
   * type `map` does not count. An object with a field that the schema does not declare counts as
   * changed.
   */
  isUnchanged(): boolean {
    return this.#isUnchanged ??= this.#compare();
  }

  /**
   * Returns the correlation of a field of the value; `undefined` when the field is new or its
   * schema is not known.
   */
  key(name: string): Correlation | undefined {
    const [value, old] = [this.#value, this.#old];
    if (!isMap(value) || !isMap(old)) return undefined;
    if (!Object.hasOwn(value, name) || !Object.hasOwn(old, name)) return undefined;
    const schema = propertyOf(this.#schema, name) ?? valuesOf(this.#schema);
    return schema && new Correlation(value[name], old[name], schema);
  }

  /**
   * Returns the correlation of an item of a list of type `map`, matched by the item's key;
   * `undefined` for other lists, and for an item that is new or has no key.
   */
  index(index: number): Correlation | undefined {
    const items = itemsOf(this.#schema);
    if (!items || !Array.isArray(this.#value) || !Array.isArray(this.#old)) return undefined;
    if (this.#schema["x-kubernetes-list-type"] !== "map") return undefined;
    const key = this.#keyOf(this.#value[index]);
    if (key === undefined) return undefined;
    this.#oldByKey ??= this.#byKey(this.#old);
    const old = this.#oldByKey.get(key);
    return old === undefined ? undefined : new Correlation(this.#value[index], old, items);
  }

  #byKey(list: readonly unknown[]): Map<string, unknown> {
    const byKey = new Map<string, unknown>();
    for (const item of list) {
      const key = this.#keyOf(item);
      if (key !== undefined && !byKey.has(key)) byKey.set(key, item);
    }
    return byKey;
  }

  /**
   * Returns the text of the key of a list item; `undefined` unless all fields of the key are
   * present and scalar.
   */
  #keyOf(item: unknown): string | undefined {
    const names = this.#schema["x-kubernetes-list-map-keys"] ?? [];
    if (!isMap(item) || names.length === 0) return undefined;
    const values = names.map((name) => Object.hasOwn(item, name) ? item[name] : undefined);
    const isKey = values.every((value) =>
      value !== undefined && value !== null && typeof value !== "object"
    );
    return isKey ? canonicalJson(values) : undefined;
  }

  #compare(): boolean {
    const [value, old] = [this.#value, this.#old];
    if (Array.isArray(value) && Array.isArray(old)) {
      if (this.#schema["x-kubernetes-list-type"] !== "map") return jsonEqual(value, old);
      if (value.length !== old.length) return false;
      return value.every((_, index) => this.index(index)?.isUnchanged() ?? false);
    }
    if (isMap(value) && isMap(old)) {
      const names = Object.keys(value);
      return names.length === Object.keys(old).length &&
        names.every((name) => this.key(name)?.isUnchanged() ?? false);
    }
    return jsonEqual(value, old);
  }
}
