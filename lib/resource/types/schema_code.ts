/**
 * The generation of schema builder (`s`) expressions from JSON schemas.
 *
 * @module
 */
import { supportedFormat } from "@xca/apimachinery/internal/schema";
import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import { canonicalJson, jsonEqual } from "@xca/apimachinery/internal/values";
import type { AnySchema } from "../schema/schema.ts";
import * as s from "../schema/s.ts";
import { callCode, type Code, jsonCode, objectCode } from "./code.ts";
import { fieldName } from "./names.ts";

type Keywords = Readonly<Record<string, unknown>>;

/** A generated expression, with the schema that it evaluates to. */
export interface SchemaCode {
  /**
   * The source code of the generated expression, as a tree that is not printed yet. The module that
   * contains it must import `s`, and declare the {@linkcode HELPERS} and constants that it names.
   */
  readonly code: Code;
  /** The JSON schema of the schema that the expression evaluates to. */
  readonly json: V1JSONSchemaProps;
  /** The schema object that the expression evaluates to. */
  readonly schema: AnySchema;
}

/**
 * A record of the source code of helper functions that generated expressions may call, by name; a
 * module contains those that it uses.
 */
export const HELPERS: Readonly<Record<string, string>> = {
  extend: `/** Adds keywords to a schema that the schema builder has no options for. */
function extend<S extends AnySchema>(
  schema: S,
  keywords: V1JSONSchemaProps,
): S {
  const { json, presence } = schema;
  return {
    json: { ...json, ...keywords },
    ...(presence && { presence }),
  } as AnySchema as S;
}
`,
  fromJson: `/** Returns a schema of values of type \`T\` from its JSON. */
function fromJson<T>(json: V1JSONSchemaProps): Schema<T> {
  return { json };
}
`,
};

/** The generator of schema builder expressions; equal object schemas may share one constant. */
export class SchemaWriter {
  readonly #shared: (schema: V1JSONSchemaProps) => Code | undefined;

  /**
   * Creates a generator of schema builder expressions.
   *
   * @param shared A function that returns the name of the constant that contains a schema, or
   * `undefined` if there is none.
   */
  constructor(shared: (schema: V1JSONSchemaProps) => Code | undefined) {
    this.#shared = shared;
  }

  /**
   * Returns the name of the constant that contains a schema, which `shared` may declare, or else an
   * expression that evaluates to the schema.
   */
  write(json: V1JSONSchemaProps): SchemaCode {
    const code = this.#shared(json);
    if (code !== undefined) return { code, json, schema: { json } };
    return this.define(json);
  }

  /**
   * Returns an expression that evaluates to a schema, even if a constant contains the schema;
   * schemas nested in it may be constants. A schema that the functions of `s` cannot express is
   * created by `extend` from one that lacks some keywords, or else by `fromJson`.
   */
  define(json: V1JSONSchemaProps): SchemaCode {
    const builders = this.#candidates(json);
    const written = builders.map((build) => attempt(build)).filter((each) => each !== undefined);
    const exact = written.find((each) => isSame(each.json, json));
    if (exact !== undefined) return exact;
    const extended = written.map((each) => extend(each, json)).find((each) => each !== undefined);
    return extended ?? raw(json);
  }

  /**
   * Returns functions that create candidate expressions for a schema, the most specific expression
   * first.
   */
  #candidates(json: V1JSONSchemaProps): (() => SchemaCode)[] {
    const plain = this.#plain(json);
    if (!json.nullable) return plain;
    return plain.map((build) => () => nullable(build()));
  }

  #plain(json: V1JSONSchemaProps): (() => SchemaCode)[] {
    const common = commonOptions(json);
    if (json["x-kubernetes-int-or-string"]) {
      return [() => call("quantity", [common]), () => call("intOrString", [common])];
    }
    switch (json.type) {
      case "boolean":
        return [() => call("boolean", [common])];
      case "string":
        return textCandidates(json, common);
      case "integer":
      case "number":
        return numberCandidates(json, common);
      case "array":
        return [() => this.#array(json, common)];
      case "object":
        return this.#objectCandidates(json, common);
    }
    const isAny = json.type === undefined && json["x-kubernetes-preserve-unknown-fields"] === true;
    return isAny && json.properties === undefined ? [() => call("unknown", [common])] : [];
  }

  #array(json: V1JSONSchemaProps, common: Keywords): SchemaCode {
    const items = this.write(json.items as V1JSONSchemaProps);
    const listType = json["x-kubernetes-list-type"];
    const keys = json["x-kubernetes-list-map-keys"] ?? [];
    const { properties = {} } = json.items as V1JSONSchemaProps;
    const isKeyed = listType === "map" && keys.length > 0 &&
      keys.every((key) => Object.hasOwn(properties, key));
    const options = {
      ...common,
      ...(listType === "set" || listType === "atomic" || isKeyed ? { listType } : {}),
      ...(isKeyed && { mapKeys: keys }),
      ...picked(json, ["minItems", "maxItems"]),
    };
    return call("array", [items, options]);
  }

  #objectCandidates(json: V1JSONSchemaProps, common: Keywords): (() => SchemaCode)[] {
    const sizes = picked(json, ["minProperties", "maxProperties"]);
    const atomic = json["x-kubernetes-map-type"] === "atomic" && { atomic: true };
    const { additionalProperties: values, properties = {} } = json;
    if (typeof values === "object") {
      return [() => call("map", [this.write(values), { ...common, ...atomic, ...sizes }])];
    }
    const keepsAll = json["x-kubernetes-preserve-unknown-fields"] === true;
    if (json["x-kubernetes-embedded-resource"]) {
      return [() => call("embeddedResource", [undefined, common])];
    }
    if (keepsAll && Object.keys(properties).length === 0) return [];
    const options = {
      ...common,
      ...(keepsAll && { preserveUnknownFields: true }),
      ...atomic,
      ...sizes,
    };
    return [() => this.#object(json, options)];
  }

  #object(json: V1JSONSchemaProps, options: Keywords): SchemaCode {
    const fields = Object.entries(json.properties ?? {}).map(([name, field]) => {
      const written = this.write(field);
      const isOptional = !json.required?.includes(name) &&
        (field.default ?? undefined) === undefined;
      return [name, isOptional ? optional(written) : written] as const;
    });
    // A field named __proto__ would set the prototype of the object with the fields.
    if (fields.some(([name]) => name === "__proto__")) return raw(json);
    const code = objectCode(fields.map(([name, each]) => [fieldName(name), each.code]));
    const schemas = Object.fromEntries(fields.map(([name, each]) => [name, each.schema]));
    const hasOptions = Object.keys(options).length > 0;
    const schema: AnySchema = s.object(schemas, options);
    const args = [code, ...hasOptions ? [optionsCode(options)] : []];
    return { code: callCode("s.object", ...args), json: schema.json, schema };
  }
}

function optional({ code, json, schema }: SchemaCode): SchemaCode {
  return { code: callCode("s.optional", code), json, schema: s.optional(schema) };
}

function nullable(written: SchemaCode): SchemaCode {
  const schema = s.nullable(written.schema);
  return { code: callCode("s.nullable", written.code), json: schema.json, schema };
}

/**
 * Returns a call of a function of the schema builder `s`, with schemas and options as arguments.
 * Empty options are left out. Throws the SchemaError of a schema that has problems.
 */
function call(
  name: keyof typeof s,
  args: readonly (SchemaCode | Keywords | readonly unknown[] | undefined)[],
): SchemaCode {
  const isOption = (arg: unknown): boolean =>
    arg !== undefined && !Array.isArray(arg) && !isSchemaCode(arg);
  const used = args.filter((arg) => !isOption(arg) || Object.keys(arg as Keywords).length > 0);
  while (used.length > 0 && used.at(-1) === undefined) used.pop();
  const build = s[name] as unknown as (...args: unknown[]) => AnySchema;
  const schema = build(...used.map((arg) => isSchemaCode(arg) ? arg.schema : structuredClone(arg)));
  const codes = used.map((arg) => {
    if (arg === undefined) return "undefined";
    if (isSchemaCode(arg)) return arg.code;
    return Array.isArray(arg) ? jsonCode(arg, fieldName) : optionsCode(arg as Keywords);
  });
  return { code: callCode(`s.${name}`, ...codes), json: schema.json, schema };
}

function isSchemaCode(value: unknown): value is SchemaCode {
  return typeof value === "object" && value !== null && "code" in value && "schema" in value;
}

function optionsCode(options: Keywords): Code {
  return jsonCode(options, fieldName);
}

function attempt(build: () => SchemaCode): SchemaCode | undefined {
  try {
    return build();
  } catch {
    return undefined; // The schema builder refuses the keywords; the schema stays JSON.
  }
}

/**
 * Returns code that extends the schema `written` with the keywords of `json` that it lacks or has
 * with another value. Returns `undefined` if `written` has keywords that `json` lacks, or if their
 * `properties` or `items` differ.
 */
function extend(written: SchemaCode, json: V1JSONSchemaProps): SchemaCode | undefined {
  const [has, wants] = [written.json, json] as unknown as [Keywords, Keywords];
  if (Object.keys(has).some((name) => wants[name] === undefined)) return undefined;
  const missing = Object.fromEntries(
    Object.entries(wants).filter(([name, value]) =>
      name === "required" ? !isSameSet(has[name], value) : !jsonEqual(has[name], value)
    ),
  );
  // Fields that differ would be written twice.
  if (missing.properties !== undefined || missing.items !== undefined) return undefined;
  const code = callCode("extend", written.code, jsonCode(missing, fieldName));
  const { presence } = written.schema;
  return { code, json, schema: { json, ...(presence && { presence }) } };
}

/** Returns an expression that creates a schema from its JSON, by `fromJson`. */
function raw(json: V1JSONSchemaProps): SchemaCode {
  const code = callCode(`fromJson<${rawType(json)}>`, jsonCode(json, fieldName));
  return { code, json, schema: { json } };
}

/**
 * Returns the source code of the TypeScript type of a schema's values on one line, without the
 * types of its fields.
 */
function rawType(json: V1JSONSchemaProps): string {
  const values = (json.enum ?? []) as unknown[];
  const isPlain = values.length > 0 && values.length < 6 &&
    values.every((value) => typeof value !== "object");
  const type = isPlain
    ? values.map((value) => JSON.stringify(value)).join(" | ")
    : json["x-kubernetes-int-or-string"]
    ? "number | string"
    : RAW_TYPES[json.type ?? ""] ?? "unknown";
  return json.nullable && type !== "unknown" ? `${type} | null` : type;
}

const RAW_TYPES: Readonly<Record<string, string>> = {
  array: "unknown[]",
  boolean: "boolean",
  integer: "number",
  number: "number",
  object: "Record<string, unknown>",
  string: "string",
};

/**
 * Returns the options `description`, `default` and `rules` of a schema builder, from the keywords
 * of a schema.
 */
function commonOptions(json: V1JSONSchemaProps): Keywords {
  const { description, default: value } = json;
  const rules = json["x-kubernetes-validations"];
  return {
    ...(description && { description }),
    ...(value !== undefined && value !== null && { default: value }),
    ...(rules !== undefined && rules.length > 0 && { rules }),
  };
}

function picked(json: V1JSONSchemaProps, names: readonly (keyof V1JSONSchemaProps)[]): Keywords {
  return Object.fromEntries(
    names.filter((name) => json[name] !== undefined).map((name) => [name, json[name]]),
  );
}

function textCandidates(json: V1JSONSchemaProps, common: Keywords): (() => SchemaCode)[] {
  const values = (json.enum ?? []).filter((value) => (value as unknown) !== null) as unknown[];
  const isPlain = values.length > 0 && values.every((value) => typeof value === "string");
  if (isPlain) return [() => call("enum", [values, common])];
  const { format = "" } = json;
  const checked = format !== "" && supportedFormat(format, ["string"]) ? ["format" as const] : [];
  const keywords = picked(json, ["minLength", "maxLength", "pattern", ...checked]);
  const text = (): SchemaCode => call("string", [{ ...common, ...keywords }]);
  if (format === "date-time") return [() => call("dateTime", [common]), text];
  return format === "duration" ? [() => call("duration", [common]), text] : [text];
}

function numberCandidates(json: V1JSONSchemaProps, common: Keywords): (() => SchemaCode)[] {
  const { type = "", format = "" } = json;
  const values = (json.enum ?? []).filter((value) => (value as unknown) !== null) as unknown[];
  if (values.length > 0) return [() => call("enum", [values, common])];
  const checked = format !== "" && supportedFormat(format, [type]) ? ["format" as const] : [];
  const bounds = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
  ] as const;
  const options = { ...common, ...picked(json, [...checked, ...bounds]) };
  return [() => call(type as "integer" | "number", [options])];
}

function isSame(a: V1JSONSchemaProps, b: V1JSONSchemaProps): boolean {
  const sorted = ({ required, ...rest }: V1JSONSchemaProps): unknown =>
    required === undefined ? rest : { ...rest, required: required.toSorted() };
  return jsonEqual(sorted(a), sorted(b)) && Boolean(a.required) === Boolean(b.required);
}

function isSameSet(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return false;
  return canonicalJson(a.toSorted()) === canonicalJson(b.toSorted());
}
