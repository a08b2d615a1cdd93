import type { Json, JsonObject } from "../../values/api_object.ts";
import { formatDuration, formatTimestamp } from "./go_time.ts";
import {
  CelBytes,
  CelDuration,
  CelList,
  CelMap,
  CelTimestamp,
  type CelValue,
  Uint,
} from "./value.ts";

/**
 * Converts a CEL value to JSON. Bytes become base64, timestamps and durations text.
 *
 * @throws {TypeError} If the value or a value within it has no JSON form, such as an optional or a
 *   map with a key that is not a string.
 */
export function toJson(value: CelValue): Json {
  switch (typeof value) {
    case "boolean":
    case "string":
    case "number":
      return value;
    case "bigint":
      return Number(value);
  }
  if (value === null) return null;
  if (value instanceof Uint) return Number(value.value);
  if (value instanceof CelBytes) return btoa(String.fromCharCode(...value.bytes));
  if (value instanceof CelTimestamp) return formatTimestamp(value.nanoseconds);
  if (value instanceof CelDuration) return formatDuration(value.nanoseconds);
  if (value instanceof CelList) return [...value].map(toJson);
  if (value instanceof CelMap) return mapToJson(value);
  throw new TypeError("unsupported type for JSON");
}

function mapToJson(map: CelMap): JsonObject {
  const object: JsonObject = {};
  for (const key of map.keys()) {
    if (typeof key !== "string") throw new TypeError("map key is not string");
    object[key] = toJson(map.find(key) ?? null);
  }
  return object;
}
