// Mirrors `common/stdlib/standard.go, Functions`.
import type { Implementation, Library } from "../declarations.ts";
import { compare, equal } from "../values/equality.ts";
import { isTimestampInRange } from "../values/go_time.ts";
import {
  CelBytes,
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelTimestamp,
  type CelValue,
  sizeOf,
  Uint,
  ValueList,
} from "../values/value.ts";

const NO_OVERLOAD = "no such overload";

/**
 * Returns the first of the values that is a CEL error, or otherwise the error of a call that
 * matches no signature.
 */
export function noSuchOverload(...values: CelValue[]): CelError {
  return values.find((value) => value instanceof CelError) ?? new CelError(NO_OVERLOAD);
}

function int(value: bigint): CelValue {
  return value === BigInt.asIntN(64, value) ? value : new CelError("integer overflow");
}

function uint(value: bigint): CelValue {
  return value === BigInt.asUintN(64, value)
    ? new Uint(value)
    : new CelError("unsigned integer overflow");
}

function duration(nanoseconds: bigint): CelValue {
  return nanoseconds === BigInt.asIntN(64, nanoseconds)
    ? new CelDuration(nanoseconds)
    : new CelError("integer overflow");
}

function timestamp(nanoseconds: bigint): CelValue {
  return isTimestampInRange(nanoseconds)
    ? new CelTimestamp(nanoseconds)
    : new CelError("timestamp overflow");
}

/**
 * Returns the implementation of a CEL operator on two numbers of one type. Integers that overflow
 * and all other operands result in a `CelError`.
 */
function arithmetic(
  name: string,
  onInts: (a: bigint, b: bigint) => bigint | CelError,
  onDoubles?: (a: number, b: number) => number,
): Implementation {
  return (a, b) => {
    if (typeof a === "bigint") {
      if (typeof b !== "bigint") return noSuchOverload(b!);
      const result = onInts(a, b);
      return result instanceof CelError ? result : int(result);
    }
    if (a instanceof Uint) {
      if (!(b instanceof Uint)) return noSuchOverload(b!);
      const result = onInts(a.value, b.value);
      return result instanceof CelError ? result : uint(result);
    }
    if (typeof a === "number" && onDoubles) {
      return typeof b === "number" ? onDoubles(a, b) : noSuchOverload(b!);
    }
    return new CelError(`${NO_OVERLOAD}: ${name}`);
  };
}

const addNumbers = arithmetic("_+_", (a, b) => a + b, (a, b) => a + b);
const subtractNumbers = arithmetic("_-_", (a, b) => a - b, (a, b) => a - b);

function modulo(a: bigint, b: bigint): bigint | CelError {
  if (b === 0n) return new CelError("modulus by zero");
  // The quotient overflows; cel-go refuses the remainder 0 too.
  return a === -(2n ** 63n) && b === -1n ? new CelError("integer overflow") : a % b;
}

const add: Implementation = (a, b) => {
  if (typeof a === "string") return typeof b === "string" ? a + b : noSuchOverload(b!);
  if (a instanceof CelList) return b instanceof CelList ? addLists(a, b) : noSuchOverload(b!);
  if (a instanceof CelBytes) {
    return b instanceof CelBytes
      ? new CelBytes(new Uint8Array([...a.bytes, ...b.bytes]))
      : noSuchOverload(b!);
  }
  if (a instanceof CelDuration) {
    if (b instanceof CelDuration) return duration(a.nanoseconds + b.nanoseconds);
    if (b instanceof CelTimestamp) return timestamp(a.nanoseconds + b.nanoseconds);
    return noSuchOverload(b!);
  }
  if (a instanceof CelTimestamp) {
    return b instanceof CelDuration ? timestamp(a.nanoseconds + b.nanoseconds) : noSuchOverload(b!);
  }
  return addNumbers(a!, b!);
};

function addLists(a: CelList, b: CelList): CelValue {
  if (a.addList) return a.addList(b);
  return new ValueList([...a, ...b]);
}

const subtract: Implementation = (a, b) => {
  if (a instanceof CelDuration) {
    return b instanceof CelDuration ? duration(a.nanoseconds - b.nanoseconds) : noSuchOverload(b!);
  }
  if (a instanceof CelTimestamp) {
    if (b instanceof CelDuration) return timestamp(a.nanoseconds - b.nanoseconds);
    return b instanceof CelTimestamp ? duration(a.nanoseconds - b.nanoseconds) : noSuchOverload(b!);
  }
  return subtractNumbers(a!, b!);
};

const negate: Implementation = (value) => {
  if (typeof value === "bigint") return int(-value);
  if (typeof value === "number") return -value;
  if (value instanceof CelDuration) return duration(-value.nanoseconds);
  return noSuchOverload(value!);
};

function isUnordered(value: CelValue): boolean {
  return value === null || value instanceof CelList || value instanceof CelMap;
}

function ordering(name: string, holds: (order: number) => boolean): Implementation {
  return (a, b) => {
    if (isUnordered(a!)) return new CelError(`${NO_OVERLOAD}: ${name}`);
    const order = compare(a!, b!);
    return order instanceof CelError ? order : holds(order);
  };
}

const contains: Implementation = (element, container) => {
  if (container instanceof CelMap) {
    const found = container.find(element!);
    return found instanceof CelError ? found : found !== undefined;
  }
  return container instanceof CelList
    ? listContains(container, element!)
    : noSuchOverload(container!);
};

/**
 * Reports whether a CEL list contains an element. The result is a `CelError` if no element of the
 * list equals `element` and a comparison fails.
 */
export function listContains(list: CelList, element: CelValue): CelValue {
  let error: CelError | undefined;
  for (const each of list) {
    const same = equal(each, element);
    if (same === true) return true;
    if (same instanceof CelError) error ??= same;
  }
  return error ?? false;
}

const not = (value: CelValue): CelValue =>
  value instanceof CelError ? value : typeof value === "boolean" ? !value : noSuchOverload(value);

const COMPARABLE_TYPES = "bool int uint double string bytes timestamp duration".split(" ");
const MIXED = [["int", "double"], ["int", "uint"], ["uint", "double"], ["uint", "int"], [
  "double",
  "int",
], ["double", "uint"]] as const;

/** The names that the identifiers of CEL overloads have for the types `int` and `uint`, by type. */
const IN_NAMES: Readonly<Record<string, string>> = { int: "int64", uint: "uint64" };

function comparisons(operator: string, word: string): string {
  const named = (type: string): string => IN_NAMES[type] ?? type;
  return [
    ...COMPARABLE_TYPES.map((type) => `${operator} ${word}_${named(type)}(${type}, ${type}) bool`),
    ...MIXED.map(([a, b]) => `${operator} ${word}_${named(a)}_${named(b)}(${a}, ${b}) bool`),
  ].join("\n");
}

/** The CEL library of the operators, of `size` and of `in`. */
export const OPERATORS: Library = {
  signatures: `
    _?_:_ conditional(bool, A, A) A
    _&&_ logical_and(bool, bool) bool
    _||_ logical_or(bool, bool) bool
    !_ logical_not(bool) bool
    @not_strictly_false not_strictly_false(bool) bool
    _==_ equals(A, A) bool
    _!=_ not_equals(A, A) bool
    _+_ add_bytes(bytes, bytes) bytes
    _+_ add_double(double, double) double
    _+_ add_duration_duration(duration, duration) duration
    _+_ add_duration_timestamp(duration, timestamp) timestamp
    _+_ add_timestamp_duration(timestamp, duration) timestamp
    _+_ add_int64(int, int) int
    _+_ add_list(list(A), list(A)) list(A)
    _+_ add_string(string, string) string
    _+_ add_uint64(uint, uint) uint
    _/_ divide_double(double, double) double
    _/_ divide_int64(int, int) int
    _/_ divide_uint64(uint, uint) uint
    _%_ modulo_int64(int, int) int
    _%_ modulo_uint64(uint, uint) uint
    _*_ multiply_double(double, double) double
    _*_ multiply_int64(int, int) int
    _*_ multiply_uint64(uint, uint) uint
    -_ negate_double(double) double
    -_ negate_int64(int) int
    _-_ subtract_double(double, double) double
    _-_ subtract_duration_duration(duration, duration) duration
    _-_ subtract_int64(int, int) int
    _-_ subtract_timestamp_duration(timestamp, duration) timestamp
    _-_ subtract_timestamp_timestamp(timestamp, timestamp) duration
    _-_ subtract_uint64(uint, uint) uint
    ${comparisons("_<_", "less")}
    ${comparisons("_<=_", "less_equals")}
    ${comparisons("_>_", "greater")}
    ${comparisons("_>=_", "greater_equals")}
    _[_] index_list(list(A), int) A
    _[_] index_map(map(A, B), A) B
    @in in_list(A, list(A)) bool
    @in in_map(A, map(A, B)) bool
    size size_bytes(bytes) int
    size bytes_size.(bytes) int
    size size_list(list(A)) int
    size list_size.(list(A)) int
    size size_map(map(A, B)) int
    size map_size.(map(A, B)) int
    size size_string(string) int
    size string_size.(string) int`,
  implementations: {
    "!_": (value) => not(value!),
    "_==_": (a, b) => equal(a!, b!),
    "_!=_": (a, b) => not(equal(a!, b!)),
    "_+_": add,
    "_-_": subtract,
    "_*_": arithmetic("_*_", (a, b) => a * b, (a, b) => a * b),
    "_/_": arithmetic(
      "_/_",
      (a, b) => b === 0n ? new CelError("division by zero") : a / b,
      (a, b) => a / b,
    ),
    "_%_": arithmetic("_%_", modulo),
    "-_": negate,
    "_<_": ordering("_<_", (order) => order < 0),
    "_<=_": ordering("_<=_", (order) => order <= 0),
    "_>_": ordering("_>_", (order) => order > 0),
    "_>=_": ordering("_>=_", (order) => order >= 0),
    "@in": contains,
    size: (value) =>
      typeof value === "string" || value instanceof CelBytes || value instanceof CelList ||
        value instanceof CelMap
        ? BigInt(sizeOf(value))
        : new CelError(`${NO_OVERLOAD}: size`),
  },
};
