// Mirrors `cel/common/schemas.go, SchemaDeclType`.
import { namedType } from "../declarations.ts";
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  STRING,
  TIMESTAMP,
} from "../types/cel_type.ts";
import type { CelSchema } from "../cel_schema.ts";
import type { ValuePath } from "../cost/estimator.ts";
import type { Range } from "../cost/ranges.ts";
import { escapeProperty } from "./escaping.ts";

/**
 * The maximum size of a request to the API server in bytes, which limits the size of every value;
 * the same as in kube-apiserver's estimates of CEL costs.
 */
export const MAX_REQUEST_BYTES: number = 3 * 1024 * 1024;

/**
 * The type that a CustomResourceDefinition's schema declares for CEL expressions, with the limits
 * of a value's size for cost estimates.
 */
export interface DeclaredType {
  /** The kind of the type that a schema declares for CEL: a scalar, or the kind of a container. */
  readonly kind: "list" | "map" | "object" | "scalar";
  /** The CEL type of a declared type of kind `scalar`. */
  readonly scalar?: CelType;
  /** The type that a schema declares for the items of a list, or the values of a map. */
  readonly element?: DeclaredType;
  /** The types that a schema declares for an object's fields, by escaped name. */
  readonly fields?: ReadonlyMap<string, DeclaredType>;
  /**
   * The maximum size of a value of the declared type, in items, entries or bytes; 0 for an object,
   * a boolean or a number. If the schema has no limit, the number that fits into a request of the
   * maximum size.
   */
  readonly maxElements: number;
  /** The minimum size of a value of the declared type as JSON, in bytes. */
  readonly minBytes: number;
}

const TEXT: CelSchema = { type: "string" };

/**
 * The maximum length of an object's name in characters (`validation.DNS1123SubdomainMaxLength`).
 */
const MAX_NAME = 253;

/**
 * Returns a schema with the fields that the root of every resource has: `apiVersion`, `kind`, and
 * `metadata` with only `name` and `generateName`. A schema that declares them already is returned
 * unchanged.
 */
export function withTypeAndMetadata(schema: CelSchema): CelSchema {
  const { kind, apiVersion, metadata } = schema.properties ?? {};
  if (
    kind?.type === "string" && apiVersion?.type === "string" && metadata?.type === "object" &&
    metadata.properties?.["name"]?.type === "string" &&
    metadata.properties?.["generateName"]?.type === "string"
  ) return schema;
  return {
    ...schema,
    properties: {
      ...schema.properties,
      kind: TEXT,
      apiVersion: TEXT,
      metadata: {
        type: "object",
        properties: {
          name: nameOf(metadata?.properties?.["name"], MAX_NAME),
          generateName: nameOf(metadata?.properties?.["generateName"], MAX_NAME - 1),
        },
      },
    },
  };
}

/**
 * Returns the schema of the field `metadata.name` or `generateName`, with a maximum length for cost
 * estimates.
 */
function nameOf(schema: CelSchema | undefined, limit: number): CelSchema {
  return { type: "string", maxLength: Math.min(schema?.maxLength ?? limit, limit) };
}

function scalar(type: CelType, minBytes: number, maxElements = 0): DeclaredType {
  return { kind: "scalar", scalar: type, maxElements, minBytes };
}

function isRoot(schema: CelSchema): boolean {
  return schema["x-kubernetes-embedded-resource"] === true;
}

/**
 * Returns the type that a schema declares for CEL; `undefined` if the schema, or that of its items
 * or values, has no type, so that expressions cannot access the value. With `isResourceRoot`, the
 * type also has the fields that {@linkcode withTypeAndMetadata} adds.
 */
export function declaredType(schema: CelSchema, isResourceRoot: boolean): DeclaredType | undefined {
  if (schema["x-kubernetes-int-or-string"]) {
    const max = schema.maxLength === undefined ? MAX_REQUEST_BYTES - 2 : textBytes(schema);
    return scalar(DYN, 1, max);
  }
  const shown = isResourceRoot ? withTypeAndMetadata(schema) : schema;
  switch (shown.type) {
    case "array":
      return listType(shown);
    case "object":
      return typeof shown.additionalProperties === "object"
        ? mapType(shown, shown.additionalProperties)
        : objectType(shown);
    case "string":
      return textType(shown);
    case "boolean":
      return scalar(BOOL, 4);
    case "number":
      return scalar(DOUBLE, 1);
    case "integer":
      return scalar(INT, 1);
    default:
      return undefined;
  }
}

function listType({ items, maxItems }: CelSchema): DeclaredType | undefined {
  const element = items && declaredType(items, isRoot(items));
  if (!element) return undefined;
  const maxElements = maxItems === undefined
    ? Math.floor((MAX_REQUEST_BYTES - 2) / (element.minBytes + 1))
    : Math.max(0, maxItems);
  return { kind: "list", element, maxElements, minBytes: 2 };
}

function mapType({ maxProperties }: CelSchema, values: CelSchema): DeclaredType | undefined {
  const element = declaredType(values, isRoot(values));
  if (!element) return undefined;
  const maxElements = maxProperties === undefined
    ? Math.floor((MAX_REQUEST_BYTES - 2) / (element.minBytes + 6))
    : Math.max(0, maxProperties);
  return { kind: "map", element, maxElements, minBytes: 2 };
}

function objectType({ properties = {}, required = [] }: CelSchema): DeclaredType {
  const fields = new Map<string, DeclaredType>();
  let minBytes = 2;
  for (const [name, schema] of Object.entries(properties)) {
    const type = declaredType(schema, isRoot(schema));
    if (!type) continue;
    const escaped = escapeProperty(name);
    if (escaped !== undefined) fields.set(escaped, type);
    if (required.includes(name) && schema.default === undefined) {
      minBytes += new TextEncoder().encode(name).length + type.minBytes + 4;
    }
  }
  return { kind: "object", fields, maxElements: 0, minBytes };
}

/**
 * Returns the maximum size of a text in bytes from the schema's `maxLength`, at four bytes per
 * character.
 */
function textBytes({ maxLength }: CelSchema): number {
  return Math.max(0, maxLength!) * 4;
}

function textType(schema: CelSchema): DeclaredType {
  switch (schema.format) {
    case "byte":
      return scalar(BYTES, 2, Math.max(0, schema.maxLength ?? MAX_REQUEST_BYTES - 2));
    case "duration":
      return scalar(DURATION, 3, 32);
    case "date":
      return scalar(TIMESTAMP, 12, 12);
    case "date-time":
      return scalar(TIMESTAMP, 21, 32);
  }
  if (schema.maxLength !== undefined) return scalar(STRING, 2, textBytes(schema));
  if (schema.enum && schema.enum.length > 0) {
    const longest = schema.enum.map((each) =>
      typeof each === "string" ? new TextEncoder().encode(each).length : 0
    );
    return scalar(STRING, 2, Math.max(0, ...longest));
  }
  return scalar(STRING, 2, MAX_REQUEST_BYTES - 2);
}

/**
 * Returns the CEL type of a declared type, for the checker. Object types are named by their path,
 * which begins with `name`; the function adds the types of their fields to `structs`.
 */
export function celTypeOf(
  type: DeclaredType,
  name: string,
  structs: Map<string, ReadonlyMap<string, CelType>>,
): CelType {
  switch (type.kind) {
    case "list":
      return listOf(celTypeOf(type.element!, `${name}.@idx`, structs));
    case "map":
      return mapOf(STRING, celTypeOf(type.element!, `${name}.@elem`, structs));
    case "object": {
      const fields = new Map<string, CelType>();
      structs.set(name, fields);
      for (const [field, fieldType] of type.fields!) {
        const fieldCelType = celTypeOf(fieldType, `${name}.${field}`, structs);
        fields.set(field, fieldCelType);
        // The syntax accepts some reserved words as field names without escaping.
        const reserved = /^__([a-z]+)__$/.exec(field)?.[1];
        if (reserved !== undefined && escapeProperty(reserved) === field) {
          fields.set(reserved, fieldCelType);
        }
      }
      return namedType(name);
    }
    case "scalar":
      return type.scalar!;
  }
}

/**
 * Returns the range of the size of the value at a path, from 0 to the maximum, for cost estimates;
 * `undefined` if the declared type has no such path. The path begins with the name of a variable of
 * the type `root`.
 */
export function sizeAt(root: DeclaredType, [, ...steps]: ValuePath): Range | undefined {
  let type: DeclaredType | undefined = root;
  for (const step of steps) {
    if (step === "@items" || step === "@values") type = type.element;
    else if (step === "@keys") type = type.kind === "map" ? KEY : undefined;
    else type = type.fields?.get(step);
    if (!type) return undefined;
  }
  return { min: 0, max: type.maxElements };
}

/** The declared type of map keys. Cost estimates take the length of a key to be 0. */
const KEY: DeclaredType = scalar(STRING, 2);
