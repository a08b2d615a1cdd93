import { type Document, isObject, type Keywords } from "./document.ts";
import { isAny } from "./refused_keywords.ts";
import { wellFormed } from "./well_formed.ts";

/**
 * The names of the JSON Schema keywords that restrict a value without describing it, and may
 * therefore occur in a clause of `allOf`, `anyOf`, `oneOf` or `not` of a structural schema.
 */
const VALUE_KEYWORDS = new Set([
  "enum",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "required",
]);

/**
 * Reports whether a clause of `allOf`, `anyOf` or `oneOf` only restricts values, without a
 * description of them such as `type` or `default`; an empty clause counts as such a restriction.
 */
export function isRestriction(clause: unknown): boolean {
  if (!isObject(clause)) return false;
  return Object.entries(clause).every(([name, value]) =>
    name === "not" || name === "items"
      ? isRestriction(value)
      : name === "properties"
      ? isObject(value) && Object.values(value).every((each) => !isAny(each) && isRestriction(each))
      : name === "allOf" || name === "anyOf" || name === "oneOf"
      ? Array.isArray(value) && value.every(isRestriction)
      : name.startsWith("exclusiveM")
      ? typeof value === "boolean"
      : VALUE_KEYWORDS.has(name)
  );
}

/**
 * Returns a schema with the clauses of its `allOf` merged into it. Clauses that only restrict
 * values stay in `allOf`; clauses that contradict each other are recorded as problems, except about
 * `description` and `title`, of which the first counts.
 */
export function mergeAll(document: Document, schema: Keywords, path: string): Keywords {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf)) return schema;
  let merged: Keywords = rest;
  const restrictions: unknown[] = [];
  for (const clause of allOf) {
    if (isRestriction(clause)) restrictions.push(clause);
    else merged = mergeClause(document, merged, clause, path);
  }
  return restrictions.length > 0 ? { ...merged, allOf: restrictions } : merged;
}

function mergeClause(
  document: Document,
  schema: Keywords,
  clause: unknown,
  path: string,
): Keywords {
  return document.within(path, () => mergeInto(document, schema, clause, path)) ?? schema;
}

function mergeInto(
  document: Document,
  schema: Keywords,
  clause: unknown,
  path: string,
): Keywords {
  if (!isObject(clause)) {
    document.refuse(path, "a clause of allOf must be a schema");
    return schema;
  }
  if (clause.$ref !== undefined) {
    const { $ref, ...beside } = clause;
    const merge = (named: unknown): Keywords =>
      mergeClause(document, schema, isObject(named) ? { ...named, ...beside } : named, path);
    return document.follow($ref, path, merge) ?? schema;
  }
  const inner = mergeAll(document, wellFormed(document, clause, path), path);
  const merged: Record<string, unknown> = { ...schema };
  for (const [name, value] of Object.entries(inner)) {
    const before = merged[name];
    if (before === undefined || JSON.stringify(before) === JSON.stringify(value)) {
      merged[name] = value;
    } else if (name === "properties") {
      merged[name] = mergeFields(document, before as Keywords, value as Keywords, path);
    } else if (name === "required" || name === "allOf") {
      merged[name] = [...new Set([...before as unknown[], ...value as unknown[]])];
    } else if (name !== "description" && name !== "title") {
      document.refuse(path, `the clauses of allOf contradict each other about ${name}; merge them`);
    }
  }
  return merged;
}

function mergeFields(
  document: Document,
  before: Keywords,
  fields: Keywords,
  path: string,
): Keywords {
  const merged: Record<string, unknown> = { ...before };
  for (const [name, schema] of Object.entries(fields)) {
    const known = merged[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      document.refuse(path, `the clauses of allOf have two schemas for the field ${name}`);
    }
    merged[name] = schema;
  }
  return merged;
}
