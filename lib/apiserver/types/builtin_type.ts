import type { TypeSchema } from "../machinery/type_schema.ts";
import type { FieldMore } from "./fact_shapes.ts";
import { packageOf, structFact } from "./type_facts.ts";

/**
 * The shape of a built-in type's values, such as struct or list, as decoding distinguishes them.
 */
export type Shape =
  | "struct"
  | "map"
  | "list"
  | "string"
  | "bool"
  | "int32"
  | "int64"
  | "float64"
  | "bytes"
  /** The shape of a type with its own decoder in Go; {@linkcode BuiltinType.id} names the type. */
  | "custom"
  | "any";

/**
 * The JSON types and formats of the built-in types that decode themselves, such as Quantity, by
 * OpenAPI name.
 */
const CUSTOM: Readonly<Record<string, Pick<TypeSchema, "type" | "format">>> = {
  "io.k8s.apimachinery.pkg.apis.meta.v1.Time": { type: "string", format: "date-time" },
  "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime": { type: "string", format: "micro-time" },
  "io.k8s.apimachinery.pkg.api.resource.Quantity": { type: "string", format: "quantity" },
  "io.k8s.apimachinery.pkg.util.intstr.IntOrString": { type: "string", format: "int-or-string" },
};

const BASIC: Readonly<Record<string, Pick<TypeSchema, "type" | "format">>> = {
  string: { type: "string" },
  bool: { type: "boolean" },
  int32: { type: "integer", format: "int32" },
  int64: { type: "integer", format: "int64" },
  float64: { type: "number", format: "double" },
  bytes: { type: "string", format: "byte" },
};

/**
 * The type of a value of a built-in kind: a {@linkcode TypeSchema} with the facts that decoding
 * needs. The types of fields, items and values are built on first use, since types refer to
 * themselves.
 */
export class BuiltinType implements TypeSchema {
  readonly type: TypeSchema["type"];
  readonly format?: string;
  readonly shape: Shape;
  /** The OpenAPI name of a built-in struct or self-decoding type; else empty. */
  readonly id: string;
  /**
   * The name of the Go type in error messages, without pointers: `v1.Container`, `[]string`,
   * `int32`.
   */
  readonly goName: string;
  /** Reports whether the Go field is a pointer, so that absent differs from zero. */
  readonly pointer: boolean;
  /**
   * Reports whether the Go field has the JSON option `omitempty`. A struct that is not a pointer is
   * never empty.
   */
  readonly omitEmpty: boolean;
  /** Reports whether the Go field has the JSON option `omitzero`. */
  readonly omitZero: boolean;
  /** Reports whether JSON omits an absent field of this type, instead of writing its zero value. */
  readonly omitAbsent: boolean;
  /** The name of the embedded Go struct that the field comes from; else empty. */
  readonly embedded: string;
  readonly listType?: "atomic" | "set" | "map";
  readonly mapKeys?: readonly string[];
  readonly mapType?: "atomic" | "granular";
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  readonly default?: unknown;
  /** The values that OpenAPI's enum of the type allows. */
  readonly enum?: readonly string[];
  readonly #parsed: ParsedType;

  /**
   * Creates the type of an expression from the facts about Kubernetes' Go types, such as
   * `[]#.Volume`; `#.Name` is the struct `Name` of the Go package `home`. For the type of a field,
   * `flags` and `more` are those of its `FieldFact`.
   */
  constructor(expression: string, home: string, flags = "", more: FieldMore = {}) {
    const parsed = parseType(expression, home);
    this.#parsed = parsed;
    this.shape = parsed.shape;
    this.id = parsed.id;
    this.goName = parsed.goName;
    this.pointer = parsed.pointer;
    this.omitEmpty = flags.includes("o");
    this.omitZero = flags.includes("z");
    this.omitAbsent = this.omitZero ||
      (this.omitEmpty && (this.pointer || (this.shape !== "struct" && this.shape !== "custom")));
    this.embedded = more.embedded ?? "";
    const { type, format } = jsonType(parsed);
    this.type = type;
    const { embedded: _, format: __, bare: ___, ...rest } = more;
    if (format !== undefined) this.format = format;
    const mapType = rest.mapType ?? structMapType(parsed);
    Object.assign(this, rest, mapType && { mapType });
  }

  /**
   * Returns the fields of a struct type by name, without a prototype, so that no inherited name is
   * found; `undefined` for other types.
   */
  get fields(): Readonly<Record<string, BuiltinType>> | undefined {
    return this.shape === "struct" ? fieldsOf(this.id).byName : undefined;
  }

  /** The fields of a struct type in their order, with their names; empty for other types. */
  get fieldList(): readonly (readonly [name: string, type: BuiltinType])[] {
    return this.shape === "struct" ? fieldsOf(this.id).inOrder : [];
  }

  get required(): readonly string[] | undefined {
    if (this.shape !== "struct") return undefined;
    const names = (structFact(this.id)?.fields ?? [])
      .filter(([, , flags]) => flags.includes("r")).map(([name]) => name);
    return names.length > 0 ? names : undefined;
  }

  get items(): BuiltinType | undefined {
    return this.shape === "list" ? elementOf(this.#parsed) : undefined;
  }

  get values(): BuiltinType | undefined {
    return this.shape === "map" ? elementOf(this.#parsed) : undefined;
  }
}

/** The built-in types of Go structs by OpenAPI name, each built once. */
const structTypes = new Map<string, BuiltinType>();

/**
 * Returns the built-in type of a Go struct by its OpenAPI name; `undefined` for an unknown name.
 */
export function structType(id: string): BuiltinType | undefined {
  const known = structTypes.get(id);
  if (known || structFact(id) === undefined) return known;
  const type = new BuiltinType(`#${id}`, packageOf(id));
  structTypes.set(id, type);
  return type;
}

/**
 * The fields of a struct type: a record for lookups, and a list for loops, since a loop over a
 * record without a prototype collects its names each time.
 */
interface StructFields {
  readonly byName: Readonly<Record<string, BuiltinType>>;
  readonly inOrder: readonly (readonly [name: string, type: BuiltinType])[];
}

const structFields = new Map<string, StructFields>();

function fieldsOf(id: string): StructFields {
  const known = structFields.get(id);
  if (known) return known;
  const home = packageOf(id);
  const byName: Record<string, BuiltinType> = Object.create(null);
  for (const [name, type, flags, more] of structFact(id)?.fields ?? []) {
    byName[name] = new BuiltinType(type, home, flags, more);
  }
  const fields = { byName, inOrder: Object.entries(byName) };
  structFields.set(id, fields);
  return fields;
}

/** A type expression of the generated type facts, such as `[]string`, parsed one level deep. */
interface ParsedType {
  readonly shape: Shape;
  readonly pointer: boolean;
  readonly id: string;
  readonly goName: string;
  /** The type expression of the elements of a list or map type; the type is built from it once. */
  readonly element?: { readonly expression: string; readonly home: string; made?: BuiltinType };
}

function elementOf({ element }: ParsedType): BuiltinType {
  return element!.made ??= new BuiltinType(element!.expression, element!.home);
}

function parseType(expression: string, home: string): ParsedType {
  const pointer = expression.startsWith("*");
  const plain = pointer ? expression.slice(1) : expression;
  const [, name, underlying] = /^([A-Za-z]\w*\.\w+)=(.*)$/.exec(plain) ?? [];
  const body = underlying ?? plain;
  const goName = name ?? goNameOf(body, home);
  if (body.startsWith("#")) {
    const id = structId(body, home);
    const custom = structFact(id)?.custom === true;
    return { shape: custom ? "custom" : "struct", pointer, id, goName };
  }
  if (body === "[]uint8") return { shape: "bytes", pointer, id: "", goName };
  if (body.startsWith("[]")) {
    return { shape: "list", pointer, id: "", goName, element: { expression: body.slice(2), home } };
  }
  if (body.startsWith("{")) {
    const expressionOfValue = body.slice(body.indexOf("}") + 1);
    return {
      shape: "map",
      pointer,
      id: "",
      goName,
      element: { expression: expressionOfValue, home },
    };
  }
  return { shape: body === "interface" ? "any" : body as Shape, pointer, id: "", goName };
}

function structId(body: string, home: string): string {
  return body.startsWith("#.") ? `${home}.${body.slice(2)}` : body.slice(1);
}

/**
 * Returns the name of a Go type as Go's reflection prints it, such as `map[string][]v1.Container`.
 */
function goNameOf(expression: string, home: string): string {
  const [, name] = /^([A-Za-z]\w*\.\w+)=/.exec(expression) ?? [];
  if (name) return name;
  if (expression.startsWith("*")) return `*${goNameOf(expression.slice(1), home)}`;
  if (expression.startsWith("[]")) return `[]${goNameOf(expression.slice(2), home)}`;
  if (expression.startsWith("{")) {
    const end = expression.indexOf("}");
    const key = goNameOf(expression.slice(1, end), home);
    return `map[${key}]${goNameOf(expression.slice(end + 1), home)}`;
  }
  if (!expression.startsWith("#")) return expression;
  const id = structId(expression, home);
  return structFact(id)?.go ?? id.split(".").slice(-2).join(".");
}

function jsonType({ shape, id }: ParsedType): Pick<TypeSchema, "type" | "format"> {
  if (shape === "struct" || shape === "map") return { type: "object" };
  if (shape === "list") return { type: "array" };
  if (shape === "custom") return CUSTOM[id] ?? { type: "any" };
  return BASIC[shape] ?? { type: "any" };
}

function structMapType({ shape, id }: ParsedType): "atomic" | undefined {
  if (shape !== "struct") return undefined;
  return structFact(id)?.openapi?.["x-kubernetes-map-type"] === "atomic" ? "atomic" : undefined;
}
