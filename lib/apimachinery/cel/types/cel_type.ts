// Mirrors `common/types/types.go, Type`.

/** The kind of a CEL type. */
export type TypeKind =
  | "any"
  | "bool"
  | "bytes"
  | "double"
  | "duration"
  | "dyn"
  | "error"
  | "int"
  | "list"
  | "map"
  | "null"
  | "opaque"
  | "param"
  | "string"
  | "struct"
  | "timestamp"
  | "type"
  | "uint";

/**
 * The maximum number of types that a CEL type consists of: itself and its type parameters at every
 * depth. Each `map(x, {x: x})` doubles the number, and every operation on a type visits all of
 * them.
 */
const MAX_PARTS = 4096;

/**
 * An error about a CEL type that consists of too many types, by the number and depth of its type
 * parameters.
 */
export class TypeTooLarge extends Error {
  override readonly name = "TypeTooLarge";
}

/** A type of the Common Expression Language. Types are compared by {@linkcode sameType}. */
export class CelType {
  readonly kind: TypeKind;
  /** The name of the CEL type at run time, as `type(x)` returns it. */
  readonly name: string;
  readonly parameters: readonly CelType[];
  readonly #parts: number;

  /**
   * Creates a CEL type of a kind with its name and type parameters.
   *
   * @throws {TypeTooLarge} If the type consists of more than 4096 types, parameters included.
   */
  constructor(kind: TypeKind, name: string, parameters: readonly CelType[] = []) {
    this.kind = kind;
    this.name = name;
    this.parameters = parameters;
    this.#parts = parameters.reduce((sum, each) => sum + each.#parts, 1);
    if (this.#parts > MAX_PARTS) throw new TypeTooLarge();
  }

  /** Formats the CEL type for error messages, such as `map(string, int)`. */
  toString(): string {
    switch (this.kind) {
      case "duration":
      case "timestamp":
      case "null":
        return this.kind;
      case "error":
        return "!error!";
    }
    if (this.parameters.length === 0) return this.name;
    return `${this.name}(${this.parameters.join(", ")})`;
  }
}

export const ANY: CelType = new CelType("any", "google.protobuf.Any");
export const BOOL: CelType = new CelType("bool", "bool");
export const BYTES: CelType = new CelType("bytes", "bytes");
export const DOUBLE: CelType = new CelType("double", "double");
export const DURATION: CelType = new CelType("duration", "google.protobuf.Duration");
export const DYN: CelType = new CelType("dyn", "dyn");
export const ERROR: CelType = new CelType("error", "error");
export const INT: CelType = new CelType("int", "int");
export const NULL: CelType = new CelType("null", "null_type");
export const STRING: CelType = new CelType("string", "string");
export const TIMESTAMP: CelType = new CelType("timestamp", "google.protobuf.Timestamp");
export const TYPE: CelType = new CelType("type", "type");
export const UINT: CelType = new CelType("uint", "uint");
/** The CEL type of every list at run time. */
export const LIST: CelType = new CelType("list", "list", [DYN]);
export const MAP: CelType = new CelType("map", "map", [DYN, DYN]);

export function listOf(element: CelType): CelType {
  return new CelType("list", "list", [element]);
}

export function mapOf(key: CelType, value: CelType): CelType {
  return new CelType("map", "map", [key, value]);
}

export function optionalOf(value: CelType): CelType {
  return new CelType("opaque", "optional_type", [value]);
}

/** Returns the CEL type of a type that is used as a value, such as of `int` in `type(x) == int`. */
export function typeOfType(type: CelType): CelType {
  return new CelType("type", "type", [type]);
}

export function typeParameter(name: string): CelType {
  return new CelType("param", name);
}

export function structType(name: string): CelType {
  return new CelType("struct", name);
}

export function isDyn({ kind }: CelType): boolean {
  return kind === "dyn" || kind === "any";
}

export function isDynOrError(type: CelType): boolean {
  return isDyn(type) || type.kind === "error";
}

/** Returns the CEL type within an optional; `undefined` for other types. */
export function optionalValue(type: CelType): CelType | undefined {
  return type.kind === "opaque" && type.name === "optional_type" ? type.parameters[0] : undefined;
}

/** Reports whether two CEL types are the same, parameters included. */
export function sameType(a: CelType, b: CelType): boolean {
  return a === b || (a.kind === b.kind && a.name === b.name &&
    a.parameters.length === b.parameters.length &&
    a.parameters.every((each, index) => sameType(each, b.parameters[index]!)));
}

/**
 * Reports whether two CEL types are the same, where type parameters count as the same whatever
 * their names.
 */
export function equivalentType(a: CelType, b: CelType): boolean {
  if (a.kind === "param") return b.kind === "param";
  return a.kind === b.kind && a.name === b.name && a.parameters.length === b.parameters.length &&
    a.parameters.every((each, index) => equivalentType(each, b.parameters[index]!));
}
