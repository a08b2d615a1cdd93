import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import { celField, isVisibleInCel } from "../cel_field.ts";
import { checkFields, type Nodes, nodesOf, objectJson, problemsOfField } from "./object.ts";
import { type CommonOptions, define, type Rule } from "../options.ts";
import type { Fields, Flat, InputObject, Schema, StoredObject } from "../schema.ts";
import type { SchemaProblem } from "../schema_error.ts";
import { asOptional, SchemaNode } from "../schema_node.ts";

/** The members of a discriminated union: the fields of each by the value of the discriminator. */
export type Members = Readonly<Record<string, Fields>>;

/** The union type of the names of all fields of a union's members. */
export type FieldsOfMembers<M extends Members> = { [Name in keyof M]: keyof M[Name] }[keyof M];

/**
 * The type of an object without the fields in `Names` that `F` lacks, such as the fields of the
 * other members of a union.
 */
export type Absent<Names extends PropertyKey, F> = { [K in Exclude<Names, keyof F>]?: never };

/** The stored type of a discriminated union: one object type for each member. */
export type StoredUnion<D extends string, M extends Members> = {
  [Name in keyof M]: Flat<
    { [K in D]: Name } & StoredObject<M[Name]> & Absent<FieldsOfMembers<M>, M[Name]>
  >;
}[keyof M];

/** The type of a discriminated union as users write it: one object type for each member. */
export type InputUnion<D extends string, M extends Members> = {
  [Name in keyof M]: Flat<
    { [K in D]: Name } & InputObject<M[Name]> & Absent<FieldsOfMembers<M>, M[Name]>
  >;
}[keyof M];

/**
 * Creates the schema of a discriminated union: an object with a field that names the member, and
 * only the fields of that member. The fields have no defaults, and a field of several members has
 * the same schema in each. CEL rules check the fields with one message for each, as Kubernetes
 * advises for unions; fields that CEL cannot access are checked by `allOf`. TypeScript narrows the
 * type by the discriminator.
 *
 * @param discriminator The field that names the member, such as `type`.
 * @param members The fields of each member, by the value of the discriminator.
 *
 * @example
 * ```ts
 * import { s, type Stored } from "@xca/operator/resource";
 *
 * const source = s.union("type", {
 *   Git: { git: s.object({ url: s.string() }) },
 *   Inline: { text: s.string({ maxLength: 4096 }) },
 *   None: {},
 * });
 * const value: Stored<typeof source> = { type: "Git", git: { url: "https://example.com/a.git" } };
 * if (value.type === "Git") value.git.url.startsWith("https:");
 * ```
 */
export function union<const D extends string, const M extends Members>(
  discriminator: D,
  members: M,
  options: CommonOptions = {},
): Schema<StoredUnion<D, M>, InputUnion<D, M>> {
  const names = Object.keys(members ?? {});
  const type = new SchemaNode<string>({ json: { type: "string", enum: names } });
  const problems = new Array<SchemaProblem>();
  if (names.length === 0) problems.push({ path: "", message: "a union must have a member" });
  const fields = new Map<string, UnionField>();
  for (const [name, memberFields] of Object.entries(members ?? {})) {
    problems.push(...checkFields(memberFields));
    for (const [field, node] of nodesOf(memberFields)) {
      problems.push(...addField(fields, name, field, node));
    }
  }
  const own = fields.get(discriminator);
  if (own) problems.push({ path: discriminator, message: "is the discriminator of the union" });
  const optional: Nodes = [...fields].map(([name, { node }]) => [name, asOptional(node)]);
  const checks = [...fields].map(([name, field]) => checksOf(discriminator, names, name, field));
  const allOf = checks.flatMap(({ clauses }) => clauses);
  return define({
    json: {
      ...objectJson([[discriminator, type], ...optional]),
      ...(allOf.length > 0 && { allOf }),
    },
    options: {
      ...options,
      rules: [...checks.flatMap(({ rules }) => rules), ...options.rules ?? []],
    },
    problems: [...problems, ...optional.flatMap(([name, node]) => problemsOfField(name, node))],
  });
}

/** A field of one or more members of a union. */
interface UnionField {
  readonly node: SchemaNode<unknown>;
  /** The names of the union members in which the field is required. */
  readonly required: string[];
  /** The names of the union members in which the field is optional. */
  readonly optional: string[];
}

function addField(
  fields: Map<string, UnionField>,
  member: string,
  name: string,
  node: SchemaNode<unknown>,
): SchemaProblem[] {
  const known = fields.get(name) ?? { node, required: [], optional: [] };
  fields.set(name, known);
  known[node.presence === "optional" ? "optional" : "required"].push(member);
  const problems: SchemaProblem[] = [];
  if (node.presence === "defaulted") {
    const message =
      "a field of a union cannot have a default: the API server would add it to the " +
      "other members too; give a default to a field below it";
    problems.push({ path: name, message });
  }
  if (JSON.stringify(known.node.unchecked) !== JSON.stringify(node.unchecked)) {
    const message = `member ${member} has another schema for this field than the members before`;
    problems.push({ path: name, message });
  }
  return problems;
}

/**
 * The checks of a union's field: CEL rules, or clauses of JSON schema for a field that CEL cannot
 * access.
 */
interface Checks {
  readonly rules: readonly Rule[];
  readonly clauses: readonly V1JSONSchemaProps[];
}

/**
 * Returns the checks that a field of a union is present in the members that require it, and absent
 * in the members that do not have it.
 */
function checksOf(
  discriminator: string,
  names: readonly string[],
  name: string,
  { node, required, optional }: UnionField,
): Checks {
  const allowed = [...required, ...optional];
  const isForbidden = allowed.length < names.length;
  if (!isVisibleInCel(name, node.unchecked)) {
    const is = (members: string[]): V1JSONSchemaProps => ({
      properties: { [discriminator]: { enum: members } },
    });
    const has = { required: [name] };
    const clauses = [
      ...(required.length > 0 ? [{ anyOf: [{ not: is(required) }, has] }] : []),
      ...(isForbidden ? [{ anyOf: [is(allowed), { not: has }] }] : []),
    ];
    return { rules: [], clauses };
  }
  const has = `has(self.${celField(name)})`;
  const is = (members: readonly string[]): string => membership(celField(discriminator), members);
  const rules: Rule[] = [];
  if (required.length > 0) {
    const message = `${name} is required when ${discriminator} is ${required.join(" or ")}`;
    rules.push({ rule: `!(${is(required)}) || ${has}`, message, reason: "FieldValueRequired" });
  }
  if (isForbidden) {
    const message = `${name} must be absent unless ${discriminator} is ${allowed.join(" or ")}`;
    const fieldPath = /^\w+$/.test(name) ? `.${name}` : `['${name}']`;
    const rule = `${is(allowed)} || !${has}`;
    rules.push({ rule, message, reason: "FieldValueForbidden", fieldPath });
  }
  return { rules, clauses: [] };
}

function membership(field: string, members: readonly string[]): string {
  const values = members.map((member) => JSON.stringify(member));
  return values.length === 1
    ? `self.${field} == ${values[0]}`
    : `self.${field} in [${values.join(", ")}]`;
}
