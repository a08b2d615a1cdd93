// Mirrors `cel/common/valuesunstructured.go, UnstructuredToVal`.
import type { Json, JsonObject } from "../../values/api_object.ts";
import { CelList, CelMap, type CelValue } from "../values/value.ts";

/**
 * Converts a JSON value without a schema to a CEL value. A safe integer becomes an int, any other
 * number a double, `undefined` null. The contents of lists and maps are converted on access.
 */
export function untypedValue(value: Json | undefined): CelValue {
  if (typeof value === "number") {
    return Number.isSafeInteger(value) ? BigInt(value) : value;
  }
  if (Array.isArray(value)) return new UntypedList(value);
  if (value !== null && typeof value === "object") return new UntypedMap(value);
  return value ?? null;
}

class UntypedList extends CelList {
  readonly #items: readonly Json[];

  constructor(items: readonly Json[]) {
    super();
    this.#items = items;
  }

  override get size(): number {
    return this.#items.length;
  }

  override get(index: number): CelValue {
    return untypedValue(this.#items[index]);
  }
}

class UntypedMap extends CelMap {
  readonly #value: JsonObject;

  constructor(value: JsonObject) {
    super();
    this.#value = value;
  }

  override get size(): number {
    return Object.keys(this.#value).length;
  }

  override keys(): Iterable<CelValue> {
    return Object.keys(this.#value);
  }

  override find(key: CelValue): CelValue | undefined {
    if (typeof key !== "string" || !Object.hasOwn(this.#value, key)) return undefined;
    const value = this.#value[key];
    return value === undefined ? undefined : untypedValue(value);
  }
}
