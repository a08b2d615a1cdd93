import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import { canonicalJson } from "@xca/apimachinery/internal/values";
import { LINE_WIDTH } from "./code.ts";
import { docComment } from "./doc_comment.ts";
import { fieldName, type Names, pascalCase, singular } from "./names.ts";

type Schema = V1JSONSchemaProps;

/**
 * The members of a TypeScript union type as source code; one member for a type that is no union.
 */
type Members = readonly string[];

/** The generator of the source code of TypeScript interfaces and type aliases from schemas. */
export class TypeWriter {
  readonly #kind: string;
  readonly #names: Names;
  /** The names of the generated types, by the keys of their schemas. */
  readonly #known = new Map<string, string>();
  /**
   * The generated declarations in the order of their first use; a declaration is an empty text
   * until its fields are generated.
   */
  readonly #declarations: string[] = [];

  /**
   * The names of the fields that have each object schema, with the number of occurrences of each
   * name.
   */
  readonly #fields = new Map<string, Map<string, number>>();

  constructor(kind: string, names: Names, root: Schema) {
    this.#kind = kind;
    this.#names = names;
    this.#count(root, "");
  }

  /**
   * Counts the names of the fields that have each object schema, for a schema and the schemas
   * nested in it; `name` is the name of the field that has the schema, in the singular for the
   * items of a list and the values of a map.
   */
  #count(schema: Schema, name: string): void {
    const { properties = {}, additionalProperties: values, items } = schema;
    if (Object.keys(properties).length > 0) {
      const key = keyOf(schema);
      const names = this.#fields.get(key) ?? new Map<string, number>();
      this.#fields.set(key, names.set(name, (names.get(name) ?? 0) + 1));
    }
    for (const [field, each] of Object.entries(properties)) this.#count(each, field);
    if (items !== undefined) this.#count(items as Schema, singular(name));
    if (typeof values === "object") this.#count(values, singular(name));
  }

  /** The generated declarations that the types refer to, in the order of their first use. */
  get declarations(): readonly string[] {
    return this.#declarations;
  }

  /**
   * Returns the fields of an object as the body of an interface; `path` consists of the names of
   * the containing fields, and the fields in `leftOut` are omitted.
   */
  body(schema: Schema, path: readonly string[], leftOut: readonly string[] = []): string {
    const lines: string[] = [];
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      if (leftOut.includes(name)) continue;
      const mark = schema.required?.includes(name) ? "" : "?";
      const head = `  ${fieldName(name)}${mark}:`;
      const doc = docComment(field.description, field.default, "  ");
      lines.push(doc + union(head, this.#members(field, [...path, name])));
    }
    if (schema["x-kubernetes-preserve-unknown-fields"]) {
      lines.push(
        "  /** Fields that the schema does not name are kept. */\n  [field: string]: unknown;\n",
      );
    }
    return lines.join("");
  }

  /** Returns the members of the union type for a schema's values. */
  #members(schema: Schema, path: readonly string[]): Members {
    const members = this.#plainMembers(schema, path);
    return schema.nullable && !members.includes("null") && !members.includes("unknown")
      ? [...members, "null"]
      : members;
  }

  #plainMembers(schema: Schema, path: readonly string[]): Members {
    if (schema["x-kubernetes-int-or-string"]) return ["number", "string"];
    const values = (schema.enum ?? []) as unknown[];
    const isPlain = values.every((value) => typeof value !== "object" || value === null);
    if (values.length > 0 && isPlain) {
      return [...new Set(values.map((value) => JSON.stringify(value)))];
    }
    switch (schema.type) {
      case "string":
      case "boolean":
        return [schema.type];
      case "integer":
      case "number":
        return ["number"];
      case "array":
        return [`${this.#single(schema.items as Schema ?? {}, itemPath(path))}[]`];
      case "object":
        return [this.#object(schema, path)];
      default:
        return schema.properties ? [this.#object(schema, path)] : ["unknown"];
    }
  }

  /** Returns the TypeScript type of a schema's values in a form to which `[]` can be appended. */
  #single(schema: Schema, path: readonly string[]): string {
    const members = this.#members(schema, path);
    const [only] = members;
    if (members.length === 1) return only!;
    const line = members.join(" | ");
    return line.length <= 40 ? `(${line})` : this.#alias(schema, members, path);
  }

  #object(schema: Schema, path: readonly string[]): string {
    const { properties = {}, additionalProperties: values } = schema;
    const hasFields = Object.keys(properties).length > 0;
    const keepsAll = schema["x-kubernetes-preserve-unknown-fields"] === true;
    if (!hasFields) {
      if (schema["x-kubernetes-embedded-resource"]) return "UnstructuredObject";
      if (typeof values === "object") {
        const value = this.#single(values, itemPath(path)).replace(/^\((.*)\)$/, "$1");
        return `Record<string, ${value}>`;
      }
      return keepsAll || values === true ? "Record<string, unknown>" : "Record<string, never>";
    }
    return this.#declare(schema, path, (name) => {
      const base = schema["x-kubernetes-embedded-resource"] ? " extends UnstructuredObject" : "";
      return `export interface ${name}${base} {\n${this.body(schema, path)}}\n`;
    });
  }

  #alias(schema: Schema, members: Members, path: readonly string[]): string {
    return this.#declare(schema, path, (name) => union(`export type ${name} =`, members));
  }

  /**
   * Returns a candidate name for the type of a schema that fields of several names have, from the
   * most frequent field name. Returns an empty list if all these fields have one name, or no name
   * occurs more than once.
   */
  #common(key: string): string[] {
    const counts = [...this.#fields.get(key) ?? []].sort(([, a], [, b]) => b - a);
    const [most] = counts;
    return counts.length > 1 && most![1] > 1 ? [this.#kind + pascalCase(most![0])] : [];
  }

  #declare(schema: Schema, path: readonly string[], write: (name: string) => string): string {
    const key = keyOf(schema);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const name = this.#names.take([...this.#common(key), ...candidates(this.#kind, path)]);
    this.#known.set(key, name);
    const index = this.#declarations.push("") - 1;
    const doc = docComment(schema.description, undefined, "");
    this.#declarations[index] = doc + write(name);
    return name;
  }
}

/**
 * Returns a text that is equal for schemas that differ at most in their own `description` and
 * `default`, so that they share one TypeScript type.
 */
function keyOf(schema: Schema): string {
  return canonicalJson({ ...schema, description: null, default: null });
}

/** Returns candidate names for the TypeScript type of a field, the shortest first. */
function candidates(kind: string, path: readonly string[]): string[] {
  return path.map((_, index) =>
    kind + path.slice(path.length - 1 - index).map(pascalCase).join("")
  );
}

function itemPath(path: readonly string[]): string[] {
  return path.map((name, index) => index === path.length - 1 ? singular(name) : name);
}

/**
 * Returns the source code of a declaration whose type is a union, on one line if it fits, with a
 * line end; `head` is the code before the type.
 */
function union(head: string, members: Members): string {
  const line = `${head} ${members.join(" | ")};\n`;
  if (line.length - 1 <= LINE_WIDTH) return line;
  const indent = " ".repeat(head.length - head.trimStart().length + 2);
  const [only] = members;
  const [, value] = /^Record<string, (.*)>$/.exec(only!) ?? [];
  if (members.length === 1 && value !== undefined) {
    const outer = indent.slice(2);
    return `${head} Record<\n${indent}string,\n${indent}${value}\n${outer}>;\n`;
  }
  if (members.length === 1) return `${head}\n${indent}${only};\n`;
  return `${head}\n${members.map((member) => `${indent}| ${member}`).join("\n")};\n`;
}
