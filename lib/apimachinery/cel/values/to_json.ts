import type { Json, JsonObject } from "../../values/api_object.ts";
import { setField } from "../../values/json_values.ts";
import { formatDuration, formatTimestamp } from "./go_time.ts";
import {
  CelBytes,
  CelDuration,
  CelList,
  CelMap,
  CelObject,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  type CelValue,
  Uint,
} from "./value.ts";

/**
 * Converts a CEL value to JSON. Integers become numbers, rounded to a double; infinities and NaN
 * remain, although JSON has none; bytes become base64, timestamps and durations text.
 *
 * @throws {TypeError} If the value or a value within it has no JSON form, such as an optional or a
 * map with a key that is not a string.
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
  if (value instanceof CelBytes) return value.bytes.toBase64();
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
    setField(object, key, toJson(map.find(key) ?? null));
  }
  return object;
}

/**
 * Converts a CEL value to JSON as cel-go does by way of `google.protobuf.Value`: as
 * {@linkcode toJson}, but integers beyond 2^53-1 become text, an optional becomes its value, and
 * infinities and NaN are refused.
 *
 * @throws {TypeError} If the value or a value within it has no JSON form, with cel-go's message.
 */
export function toProtobufJson(value: CelValue): Json {
  if (typeof value === "bigint") return safeNumber(value);
  if (value instanceof Uint) return safeNumber(value.value);
  if (typeof value === "number" && !Number.isFinite(value)) {
    const shown = Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
    throw new TypeError(
      "json: error calling MarshalJSON for type *structpb.Value: proto: " +
        `google.protobuf.Value.number_value: invalid ${shown} value`,
    );
  }
  if (value instanceof CelOptional) {
    if (value.value === undefined) throw new TypeError("optional.none() dereference");
    return toProtobufJson(value.value);
  }
  if (value instanceof CelTypeValue) {
    throw new TypeError("type conversion not supported for 'type'");
  }
  if (value instanceof CelList) return [...value].map(toProtobufJson);
  if (value instanceof CelMap) {
    const keys = [...value.keys()];
    return Object.fromEntries(
      keys.map((key) => [textKey(key), toProtobufJson(value.find(key) ?? null)]),
    );
  }
  if (value instanceof CelObject) {
    const name = value.type.name.split(".").at(-1);
    throw new TypeError(`type conversion error from '${name}' to '*structpb.Value'`);
  }
  return toJson(value);
}

function safeNumber(value: bigint): Json {
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

function textKey(key: CelValue): string {
  switch (typeof key) {
    case "string":
      return key;
    case "bigint":
      throw new TypeError("unsupported type conversion from 'int' to string");
    case "number":
      throw new TypeError("type conversion error from Double to 'string'");
    case "boolean":
      throw new TypeError("type conversion error from bool to 'string'");
  }
  throw new TypeError(
    key === null ? "type conversion error from 'null_type' to 'string'" : "map key is not string",
  );
}
