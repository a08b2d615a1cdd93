import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import { celField, isVisibleInCel } from "../cel_field.ts";
import { type Nodes, nodesOf, objectJson, problemsOfField } from "./object.ts";
import { type CommonOptions, define, type Rule } from "../options.ts";
import type { Fields, Flat, Input, Schema, Stored } from "../schema.ts";
import type { SchemaProblem } from "../schema_error.ts";
import { asOptional } from "../schema_node.ts";
import type { Absent } from "./union.ts";

/** The stored type of an object with exactly one of its fields: one object type for each field. */
export type StoredExactlyOne<F extends Fields> = {
  [Name in keyof F]: Flat<{ [K in Name]: Stored<F[K]> } & Absent<keyof F, { [K in Name]: 0 }>>;
}[keyof F];

/** The input type of an object with exactly one of its fields: one object type for each field. */
export type InputExactlyOne<F extends Fields> = {
  [Name in keyof F]: Flat<{ [K in Name]: Input<F[K]> } & Absent<keyof F, { [K in Name]: 0 }>>;
}[keyof F];

/** The TypeScript type of an object with none of the given fields. */
export type NoneOf<F extends Fields> = { [K in keyof F]?: never };

/**
 * Creates the schema of an object with exactly one of several fields, none of which may have a
 * default, such as the source of an environment variable. A CEL rule checks the number of fields,
 * as for controller-gen's marker `ExactlyOneOf`; if CEL cannot access one of the fields, `oneOf`
 * checks it.
 *
 * @example
 * ```ts
 * import { s, type Stored } from "@xca/operator/resource";
 *
 * const source = s.exactlyOneOf({
 *   configMap: s.object({ name: s.string() }),
 *   secret: s.object({ name: s.string() }),
 * });
 * const value: Stored<typeof source> = { secret: { name: "token" } };
 * ```
 */
export function exactlyOneOf<const F extends Fields>(
  fields: F,
  options: CommonOptions = {},
): Schema<StoredExactlyOne<F>, InputExactlyOne<F>> {
  return define(oneField(fields, options, "exactly one"));
}

/**
 * Creates the schema of an object with at most one of several fields, none of which may have a
 * default. A CEL rule checks the number of fields, as for controller-gen's marker `AtMostOneOf`; if
 * CEL cannot access one of the fields, `oneOf` checks it.
 *
 * @example
 * ```ts
 * import { s, type Stored } from "@xca/operator/resource";
 *
 * const limit = s.atMostOneOf({ count: s.integer(), percent: s.integer({ maximum: 100 }) });
 * const value: Stored<typeof limit> = {};
 * ```
 */
export function atMostOneOf<const F extends Fields>(
  fields: F,
  options: CommonOptions = {},
): Schema<StoredExactlyOne<F> | NoneOf<F>, InputExactlyOne<F> | NoneOf<F>> {
  return define(oneField(fields, options, "at most one"));
}

function oneField(
  fields: Fields,
  options: CommonOptions,
  count: "exactly one" | "at most one",
): Parameters<typeof define>[0] {
  const nodes: Nodes = nodesOf(fields).map(([name, node]) => [name, asOptional(node)]);
  const names = nodes.map(([name]) => name);
  const problems: SchemaProblem[] = names.length > 0
    ? []
    : [{ path: "", message: "must have at least one field to choose from" }];
  for (const [name, { unchecked }] of nodes) {
    if (unchecked.default === undefined) continue;
    const message = "cannot have a default: the API server would add it beside another field";
    problems.push({ path: name, message });
  }
  const isVisible = nodes.every(([name, { unchecked }]) => isVisibleInCel(name, unchecked));
  const rules = isVisible ? [ruleOf(names, count)] : [];
  return {
    json: { ...objectJson(nodes), ...(!isVisible && { oneOf: clausesOf(names, count) }) },
    options: { ...options, rules: [...rules, ...options.rules ?? []] },
    problems: [...problems, ...nodes.flatMap(([name, node]) => problemsOfField(name, node))],
  };
}

function ruleOf(names: readonly string[], count: "exactly one" | "at most one"): Rule {
  const listed = names.map((name) => `has(self.${celField(name)})`).join(", ");
  const operator = count === "exactly one" ? "==" : "<=";
  const rule = `[${listed}].filter(isSet, isSet).size() ${operator} 1`;
  return { rule, message: `${count} of the fields ${names.join(", ")} must be set` };
}

/**
 * Returns the clauses of `oneOf` that replace the CEL rule about the number of fields, for fields
 * that CEL cannot access.
 */
function clausesOf(
  names: readonly string[],
  count: "exactly one" | "at most one",
): V1JSONSchemaProps[] {
  const clauses = names.map((name) => ({ required: [name] }));
  return count === "exactly one" ? clauses : [...clauses, { not: { anyOf: clauses } }];
}
