// Mirrors `interpreter/attributes.go, Qualifier`.
import { goQuote } from "../../values/go_text.ts";
import { formatDouble } from "../values/go_numbers.ts";
import { formatDuration, formatTimestamp } from "../values/go_time.ts";
import {
  CelBytes,
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelOptional,
  CelStruct,
  CelTimestamp,
  CelTypeValue,
  type CelValue,
  typeOf,
  Uint,
} from "../values/value.ts";

/** Returns the text of a CEL value in error messages. */
export function showValue(value: CelValue): string {
  if (typeof value === "number") return formatDouble(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof CelDuration) {
    return `duration(${goQuote(formatDuration(value.nanoseconds))})`;
  }
  if (value instanceof CelTimestamp) {
    return `timestamp(${goQuote(formatTimestamp(value.nanoseconds))})`;
  }
  if (value instanceof CelTypeValue) return value.type.name;
  if (value instanceof CelBytes) return `[${value.bytes.join(" ")}]`;
  if (value instanceof CelList) return `[${[...value].map(showValue).join(", ")}]`;
  if (value instanceof CelMap) {
    return `{${
      [...value.keys()].map((key) => `${showValue(key)}: ${showValue(value.find(key) ?? null)}`)
        .join(", ")
    }}`;
  }
  return String(value);
}

/**
 * Returns the error message of a key that neither a CEL map nor a list can have; `undefined` for a
 * text, a number or a boolean.
 */
export function qualifierProblem(key: CelValue): string | undefined {
  const type = goTypeOf(key);
  return type && `invalid qualifier type: ${type}`;
}

function goTypeOf(value: CelValue): string | undefined {
  if (value === null) return "types.Null";
  if (typeof value !== "object" || value instanceof Uint) return undefined;
  if (value instanceof CelBytes) return "types.Bytes";
  if (value instanceof CelDuration) return "types.Duration";
  if (value instanceof CelTimestamp) return "types.Timestamp";
  if (value instanceof CelTypeValue) return "*types.Type";
  if (value instanceof CelOptional) return "*types.Optional";
  if (value instanceof CelList) return "*types.baseList";
  if (value instanceof CelStruct) return "*dynamic.ObjectVal";
  if (value instanceof CelMap) return "*types.baseMap";
  return `cel.${typeOf(value).name.split(".").at(-1)}`;
}

/**
 * Evaluates `value.key` or `value[key]` of CEL. The result is a `CelError` for an absent or invalid
 * key and for a `value` that is neither a map nor a list; an optional `value` gives an optional,
 * without a value for an absent key.
 */
export function qualify(value: CelValue, key: CelValue): CelValue {
  if (value instanceof CelOptional) {
    if (value.value === undefined) return value;
    const found = qualifyIfPresent(value.value, key);
    if (found instanceof CelError) return found;
    return found === undefined ? CelOptional.none : new CelOptional(found);
  }
  const found = qualifyIfPresent(value, key);
  if (found !== undefined) return found;
  return value instanceof CelList
    ? new CelError(`index out of bounds: ${showValue(key)}`)
    : new CelError(`no such key: ${showValue(key)}`);
}

/**
 * Returns the value at `key` of a CEL map or list, or of one in an optional; `undefined` if the key
 * is absent, the optional is empty, or the value is neither a map nor a list. The result is a
 * `CelError` if `value` is one, or if the map or list rejects the key.
 */
export function qualifyIfPresent(value: CelValue, key: CelValue): CelValue | undefined {
  if (value instanceof CelError) return value;
  if (value instanceof CelOptional) {
    return value.value === undefined ? undefined : qualifyIfPresent(value.value, key);
  }
  if (value instanceof CelMap) return value.find(key);
  if (!(value instanceof CelList)) return undefined;
  const index = listIndex(key);
  if (index instanceof CelError) return index;
  if (index < 0 || index >= value.size) return undefined;
  if (value.takesIntsOnly && typeof key !== "bigint") {
    return new CelError(`unsupported index: ${showValue(key)}`);
  }
  return value.get(index);
}

function listIndex(key: CelValue): number | CelError {
  if (typeof key === "bigint") return Number(key);
  if (key instanceof Uint) return Number(key.value);
  if (typeof key === "number") {
    return Number.isInteger(key)
      ? key
      : new CelError(`unsupported index value ${formatDouble(key)} in list`);
  }
  return new CelError(`unsupported index type '${typeOf(key).name}' in list`);
}
