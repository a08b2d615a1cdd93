/**
 * Decodes JSON into the shapes of Go structs, with the error messages of Go's decoder. Used for the
 * metadata of custom resources and of embedded resources.
 *
 * Mirrors `internal/golang/encoding/json/decode.go, decodeState`.
 *
 * @module
 */
import { isMap } from "../../values/json_values.ts";
import { sortedEntries } from "../../values/go_order.ts";
import { canonicalTime } from "../../values/go_time.ts";

/** The shape of a Go type: the way in which JSON is decoded into it, and its name in messages. */
export interface Shape {
  readonly kind: "string" | "int64" | "bool" | "time" | "raw" | "map" | "list" | "struct";
  /** The name of the Go type, as error messages show it. */
  readonly type: string;
  /** The shape of the elements of a Go map or slice. */
  readonly of?: Shape;
  /** The shapes of the fields of a Go struct. */
  readonly fields?: Readonly<Record<string, Shape>>;
  /**
   * Sets whether a field that is absent or has the zero value of the Go type is decoded to the zero
   * value rather than left out. @default {false}
   */
  readonly keepsZero?: boolean;
  /**
   * Sets whether the Go type is a pointer, so that an absent value differs from the zero value.
   * @default {false}
   */
  readonly isPointer?: boolean;
}

/** The result of {@linkcode decodeShape}: a decoded value, and the paths of its unknown fields. */
export interface Decoded {
  readonly value: unknown;
  readonly unknown: readonly string[];
}

/** The error about a JSON value that does not have the shape of its Go type. */
export class ShapeError extends Error {
  override readonly name = "ShapeError";
}

/**
 * Returns a JSON value decoded into the shape of a Go type, in which `null` counts as the zero
 * value. Fields with zero values, unless the shape keeps them, and unknown fields are left out; the
 * paths of the unknown ones are returned too. Times are converted to UTC and cut to whole seconds.
 *
 * @throws {ShapeError} When a value has another type, or a text is not a time although its shape is
 * one.
 */
export function decodeShape(value: unknown, shape: Shape): Decoded {
  const unknown: string[] = [];
  const decoded = decode(value, shape, { struct: "", path: [] }, "", unknown);
  return { value: decoded, unknown };
}

/** The position in nested Go structs, for error messages. */
interface Place {
  readonly struct: string;
  readonly path: readonly string[];
}

function decode(
  value: unknown,
  shape: Shape,
  place: Place,
  path: string,
  unknown: string[],
): unknown {
  if (value === null || value === undefined) return zero(shape);
  switch (shape.kind) {
    case "string":
      if (typeof value === "string") return value;
      break;
    case "bool":
      if (typeof value === "boolean") return value;
      break;
    case "int64":
      if (typeof value !== "number") break;
      if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return value;
      throw wrongType(`number ${value}`, shape, place);
    case "time":
      return decodeTime(value);
    case "raw":
      return value;
    case "map":
      if (!isMap(value)) break;
      return Object.fromEntries(
        sortedEntries(value).map(([key, item]) => [
          key,
          decode(item, shape.of!, place, `${path}.${key}`, unknown),
        ]),
      );
    case "list":
      if (!Array.isArray(value)) break;
      return value.map((item, index) =>
        decode(item, shape.of!, place, `${path}[${index}]`, unknown)
      );
    case "struct":
      if (isMap(value)) return decodeStruct(value, shape, place, path, unknown);
  }
  throw wrongType(jsonTypeOf(value), shape, place);
}

function decodeStruct(
  value: Record<string, unknown>,
  shape: Shape,
  place: Place,
  path: string,
  unknown: string[],
): Record<string, unknown> {
  const struct = shape.type.replace(/^.*\./, "");
  const decoded: Record<string, unknown> = {};
  for (const [name, item] of sortedEntries(value)) {
    const where = path === "" ? name : `${path}.${name}`;
    if (!Object.hasOwn(shape.fields!, name)) {
      unknown.push(where);
      continue;
    }
    const field = shape.fields![name]!;
    const below = { struct, path: [...place.path, name] };
    decoded[name] = decode(item, field, below, where, unknown);
  }
  for (const [name, field] of Object.entries(shape.fields!)) {
    if (field.keepsZero) decoded[name] ??= zero(field);
    else if (isZero(decoded[name], field)) delete decoded[name];
  }
  return decoded;
}

function zero(shape: Shape): unknown {
  if (shape.isPointer) return undefined;
  switch (shape.kind) {
    case "string":
      return "";
    case "struct":
      return decodeStruct({}, shape, { struct: "", path: [] }, "", []);
    default:
      return undefined;
  }
}

function isZero(value: unknown, shape: Shape): boolean {
  if (value === undefined) return true;
  if (shape.isPointer) return false;
  if (Array.isArray(value)) return value.length === 0;
  if (isMap(value)) return shape.kind === "map" && Object.keys(value).length === 0;
  return value === "" || value === 0 || value === false;
}

function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

function wrongType(actual: string, shape: Shape, { struct, path }: Place): ShapeError {
  const into = path.length === 0 ? "value" : `struct field ${struct}.${path.join(".")}`;
  return new ShapeError(`json: cannot unmarshal ${actual} into Go ${into} of type ${shape.type}`);
}

function decodeTime(value: unknown): string | undefined {
  if (typeof value !== "string") {
    throw new ShapeError(
      `json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type string`,
    );
  }
  try {
    return canonicalTime(value) ?? undefined;
  } catch (error) {
    throw new ShapeError((error as Error).message);
  }
}
