// Mirrors `common/stdlib/standard.go, Functions`.
import type { Implementation, Library } from "../declarations.ts";
import { type CelType, DOUBLE } from "../types/cel_type.ts";
import {
  formatDouble,
  parseBool,
  parseDouble,
  parseInt64,
  parseUint64,
} from "../values/go_numbers.ts";
import {
  formatDuration,
  formatTimestamp,
  isTimestampInRange,
  parseDuration,
  parseTimestamp,
} from "../values/go_time.ts";
import {
  CelBytes,
  CelDuration,
  CelError,
  CelTimestamp,
  CelTypeValue,
  type CelValue,
  typeOf,
  Uint,
} from "../values/value.ts";

const SECOND = 1_000_000_000n;

function cannotConvert(value: CelValue, to: string): CelError {
  return new CelError(`type conversion error from '${typeOf(value).name}' to '${to}'`);
}

function orError<T extends CelValue>(
  value: T | undefined,
  from: CelValue,
  to: CelType | string,
): CelValue {
  return value ??
    (value === undefined ? cannotConvert(from, typeof to === "string" ? to : to.name) : value);
}

const toInt: Implementation = (value) => {
  if (value instanceof Uint) {
    return value.value > 0x7fffffffffffffffn ? new CelError("integer overflow") : value.value;
  }
  if (typeof value === "number") {
    if (!(value > -9223372036854775808 && value < 9223372036854775808)) {
      return new CelError("integer overflow");
    }
    return BigInt(Math.trunc(value));
  }
  if (value instanceof CelDuration) return value.nanoseconds;
  if (value instanceof CelTimestamp) {
    const seconds = value.nanoseconds / SECOND;
    return value.nanoseconds % SECOND < 0n ? seconds - 1n : seconds;
  }
  if (typeof value === "string") return orError(parseInt64(value), value, "int");
  return cannotConvert(value!, "int");
};

const toUint: Implementation = (value) => {
  if (typeof value === "bigint") {
    return value < 0n ? new CelError("unsigned integer overflow") : new Uint(value);
  }
  if (typeof value === "number") {
    if (!(value >= 0 && value < 18446744073709551616)) {
      return new CelError("unsigned integer overflow");
    }
    return new Uint(BigInt(Math.trunc(value)));
  }
  if (typeof value === "string") {
    const parsed = parseUint64(value);
    return orError(parsed === undefined ? undefined : new Uint(parsed), value, "uint");
  }
  return cannotConvert(value!, "uint");
};

const toDouble: Implementation = (value) => {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Uint) return Number(value.value);
  if (typeof value === "string") return orError(parseDouble(value), value, DOUBLE);
  return cannotConvert(value!, "double");
};

/**
 * Converts a CEL value to text, as `string(value)` does. Returns a `CelError` for a value without a
 * text form, such as a list.
 */
export function toText(value: CelValue | undefined): CelValue {
  switch (typeof value) {
    case "string":
      return value;
    case "boolean":
    case "bigint":
      return String(value);
    case "number":
      return formatDouble(value);
  }
  if (value instanceof Uint) return String(value.value);
  if (value instanceof CelBytes) return decode(value);
  if (value instanceof CelDuration) return formatDuration(value.nanoseconds);
  if (value instanceof CelTimestamp) return formatTimestamp(value.nanoseconds);
  if (value instanceof CelTypeValue) return value.type.name;
  return cannotConvert(value!, "string");
}

function decode({ bytes }: CelBytes): CelValue {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new CelError("invalid UTF-8 in bytes, cannot convert to string");
  }
}

const toTimestamp: Implementation = (value) => {
  const nanoseconds = typeof value === "bigint"
    ? value * SECOND
    : typeof value === "string"
    ? parseTimestamp(value)
    : undefined;
  if (nanoseconds === undefined) return cannotConvert(value!, "google.protobuf.Timestamp");
  return isTimestampInRange(nanoseconds)
    ? new CelTimestamp(nanoseconds)
    : new CelError("timestamp overflow");
};

const toDuration: Implementation = (value) => {
  const nanoseconds = typeof value === "string" ? parseDuration(value) : undefined;
  return orError(
    nanoseconds === undefined ? undefined : new CelDuration(nanoseconds),
    value!,
    "google.protobuf.Duration",
  );
};

const same: Implementation = (value) => value!;

/** The CEL library of the type conversions, such as `int(value)`, and of the function `type`. */
export const CONVERSIONS: Library = {
  signatures: `
    type type(A) type(A)
    dyn to_dyn(A) dyn
    bool bool_to_bool(bool) bool
    bool string_to_bool(string) bool
    bytes bytes_to_bytes(bytes) bytes
    bytes string_to_bytes(string) bytes
    double double_to_double(double) double
    double int64_to_double(int) double
    double string_to_double(string) double
    double uint64_to_double(uint) double
    duration duration_to_duration(duration) duration
    duration string_to_duration(string) duration
    int int64_to_int64(int) int
    int double_to_int64(double) int
    int duration_to_int64(duration) int
    int string_to_int64(string) int
    int timestamp_to_int64(timestamp) int
    int uint64_to_int64(uint) int
    string string_to_string(string) string
    string bool_to_string(bool) string
    string bytes_to_string(bytes) string
    string double_to_string(double) string
    string duration_to_string(duration) string
    string int64_to_string(int) string
    string timestamp_to_string(timestamp) string
    string uint64_to_string(uint) string
    timestamp timestamp_to_timestamp(timestamp) timestamp
    timestamp int64_to_timestamp(int) timestamp
    timestamp string_to_timestamp(string) timestamp
    uint uint64_to_uint64(uint) uint
    uint double_to_uint64(double) uint
    uint int64_to_uint64(int) uint
    uint string_to_uint64(string) uint`,
  implementations: {
    type: (value) => new CelTypeValue(typeOf(value!)),
    dyn: same,
    bool_to_bool: same,
    string_to_bool: (value) => orError(parseBool(value as string), value!, "bool"),
    bytes_to_bytes: same,
    string_to_bytes: (value) => new CelBytes(new TextEncoder().encode(value as string)),
    double_to_double: same,
    int64_to_double: toDouble,
    string_to_double: toDouble,
    uint64_to_double: toDouble,
    duration_to_duration: same,
    string_to_duration: toDuration,
    int64_to_int64: same,
    double_to_int64: toInt,
    duration_to_int64: toInt,
    string_to_int64: toInt,
    timestamp_to_int64: toInt,
    uint64_to_int64: toInt,
    string_to_string: same,
    bool_to_string: toText,
    bytes_to_string: toText,
    double_to_string: toText,
    duration_to_string: toText,
    int64_to_string: toText,
    timestamp_to_string: toText,
    uint64_to_string: toText,
    timestamp_to_timestamp: same,
    int64_to_timestamp: toTimestamp,
    string_to_timestamp: toTimestamp,
    uint64_to_uint64: same,
    double_to_uint64: toUint,
    int64_to_uint64: toUint,
    string_to_uint64: toUint,
  },
};
