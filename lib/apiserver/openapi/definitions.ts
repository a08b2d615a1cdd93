/**
 * Builds the OpenAPI schemas of built-in types; only those of `ObjectMeta`, `OwnerReference` and
 * `ListMeta` have descriptions. Mirrors `pkg/builder/openapi.go,
 * openAPI.buildDefinitionRecursively`.
 *
 * @module
 */
import type { JsonObject } from "@xca/apimachinery/internal/values";
import type { FieldFact, FieldMore, StructFact } from "../types/fact_shapes.ts";
import { packageOf, structFact } from "../types/type_facts.ts";
import { DESCRIPTIONS } from "./descriptions.ts";

/** The style of OpenAPI schemas: the differences between OpenAPI 2 and 3. */
export interface SchemaStyle {
  /** The prefix of an OpenAPI definition's name in a `$ref`. */
  readonly prefix: string;
  /**
   * Reports whether the OpenAPI version is 3: then schemas may have `allOf`, `anyOf`, `oneOf`,
   * `not` and `nullable`, those of built-in types have defaults, and a `$ref` with siblings is in
   * `allOf`.
   */
  readonly full: boolean;
}

/** The style of OpenAPI 3 schemas. */
export const STYLE_V3: SchemaStyle = { prefix: "#/components/schemas/", full: true };
/** The style of OpenAPI 2 schemas. */
export const STYLE_V2: SchemaStyle = { prefix: "#/definitions/", full: false };

/**
 * The OpenAPI schema of a type, and the names of the definitions that the schema itself refers to.
 */
export interface Definition {
  readonly schema: JsonObject;
  readonly references: readonly string[];
}

/**
 * The OpenAPI definitions of built-in types that this process has built so far, by style and name:
 * many documents share them.
 */
const made = new Map<SchemaStyle, Map<string, Definition>>();

/**
 * Returns the shared OpenAPI definition of a built-in type by its OpenAPI name; `undefined` for an
 * unknown one.
 */
export function definitionOf(id: string, style: SchemaStyle): Definition | undefined {
  let definitions = made.get(style);
  if (!definitions) made.set(style, definitions = new Map());
  const known = definitions.get(id);
  if (known) return known;
  const fact = structFact(id);
  if (!fact) return undefined;
  const definition = new DefinitionBuilder(id, style).build(fact);
  definitions.set(id, definition);
  return definition;
}

class DefinitionBuilder {
  readonly #descriptions: Readonly<Record<string, string>>;
  readonly #home: string;
  readonly #style: SchemaStyle;
  readonly #references = new Set<string>();

  constructor(id: string, style: SchemaStyle) {
    this.#descriptions = DESCRIPTIONS[id] ?? {};
    this.#home = packageOf(id);
    this.#style = style;
  }

  build({ custom, fields = [], openapi = {}, kinds }: StructFact): Definition {
    const required = fields.filter(([, , flags]) => flags.includes("r")).map(([name]) => name);
    const properties: JsonObject = {};
    for (const field of fields) properties[field[0]] = this.#field(field);
    const untyped = custom && (openapi.oneOf || openapi.type || isUntyped(this.#home));
    const schema: JsonObject = {
      ...(!untyped && { type: "object" }),
      ...(required.length > 0 && { required }),
      ...(fields.length > 0 && { properties }),
      ...this.#more(openapi),
      ...(kinds && {
        "x-kubernetes-group-version-kind": kinds.map(([group, version, kind]) => ({
          group,
          version,
          kind,
        })),
      }),
    };
    return { schema, references: [...this.#references] };
  }

  /**
   * Returns the members that the facts of a Go struct add to its OpenAPI definition. In OpenAPI 2,
   * which has no `oneOf`, `IntOrString` and `Quantity` get the type `string` instead.
   */
  #more(openapi: Readonly<Record<string, unknown>>): JsonObject {
    if (this.#style.full || !openapi.oneOf) return openapi as JsonObject;
    const { oneOf: _, ...rest } = openapi;
    return { type: "string", ...rest } as JsonObject;
  }

  #field([name, type, flags, more = {}]: FieldFact): JsonObject {
    const schema = this.#type(type, flags === "" || flags === "r", more);
    if (more.enum) {
      const target = schema.items ?? schema.additionalProperties ?? schema;
      (target as JsonObject).enum = [...more.enum];
    }
    const description = this.#descriptions[name];
    return { ...(description && { description }), ...schema, ...extensions(more) };
  }

  /**
   * Returns the OpenAPI schema of a type.
   *
   * @param zero True if the schema has the zero value as its default, unless the type is a pointer
   */
  #type(expression: string, zero: boolean, more?: FieldMore): JsonObject {
    const given = more?.default;
    const pointer = expression.startsWith("*");
    const body = expression.replace(/^\*/, "").replace(/^[A-Za-z]\w*\.\w+=/, "");
    const shown = given !== undefined
      ? { default: given as JsonObject }
      : zero && !pointer
      ? zeroOf(body)
      : {};
    if (body.startsWith("#")) return this.#reference(body, !pointer, more);
    if (body === "[]uint8") return { type: "string", format: "byte" };
    if (body.startsWith("[]")) {
      return { type: "array", items: this.#type(body.slice(2), false) };
    }
    if (body.startsWith("{")) {
      const values = this.#type(body.slice(body.indexOf("}") + 1), false);
      return { type: "object", additionalProperties: values };
    }
    return { ...BASIC[body], ...(this.#style.full && shown) };
  }

  /**
   * Returns a reference to the OpenAPI schema of a struct.
   *
   * @param zero True if the default is an empty object unless `more` has another
   * @param more the facts of the field; absent for an item or a value, which have no default
   */
  #reference(body: string, zero: boolean, more: FieldMore | undefined): JsonObject {
    const id = body.startsWith("#.") ? `${this.#home}.${body.slice(2)}` : body.slice(1);
    this.#references.add(id);
    const reference = { $ref: this.#style.prefix + id };
    const hasZero = zero && structFact(id)?.custom !== true;
    if (!this.#style.full || !more || more.bare) return reference;
    const given = more.default as JsonObject | undefined;
    const value = given ?? (hasZero ? {} : undefined);
    return { allOf: [reference], ...(value !== undefined && { default: value }) };
  }
}

function isUntyped(home: string): boolean {
  return home.includes("apiextensions");
}

const BASIC: Readonly<Record<string, JsonObject>> = {
  string: { type: "string" },
  bool: { type: "boolean" },
  int32: { type: "integer", format: "int32" },
  int64: { type: "integer", format: "int64" },
  float64: { type: "number", format: "double" },
};

function zeroOf(body: string): JsonObject {
  switch (body) {
    case "string":
      return { default: "" };
    case "bool":
      return { default: false };
    case "int32":
    case "int64":
    case "float64":
      return { default: 0 };
    default:
      return {};
  }
}

function extensions(more: FieldMore): JsonObject {
  const { listType, mapKeys, mapType, patchStrategy, patchMergeKey } = more;
  return {
    ...(mapKeys && { "x-kubernetes-list-map-keys": [...mapKeys] }),
    ...(listType && { "x-kubernetes-list-type": listType }),
    ...(mapType && { "x-kubernetes-map-type": mapType }),
    ...(patchMergeKey && { "x-kubernetes-patch-merge-key": patchMergeKey }),
    ...(patchStrategy && { "x-kubernetes-patch-strategy": patchStrategy }),
  };
}
