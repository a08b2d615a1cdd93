import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import { isVisibleInCel } from "./cel_field.ts";
import { checkKeywords } from "./check_keywords.ts";
import { mismatches } from "./mismatches.ts";
import type { SchemaProblem } from "./schema_error.ts";
import { type Immutability, SchemaNode } from "./schema_node.ts";

/**
 * A CEL rule that the API server checks on each write: an item of `x-kubernetes-validations`.
 *
 * `self` is the value, `oldSelf` the value before an update; a rule with `oldSelf` is a transition
 * rule, and is skipped when there is no earlier value.
 */
export interface Rule {
  /** The CEL expression that must evaluate to true, such as `self.minimum <= self.maximum`. */
  readonly rule: string;
  /**
   * The text of the error for a value that violates the rule.
   *
   * @default {"failed rule: " and the rule}
   */
  readonly message?: string;
  /**
   * A CEL expression that evaluates to the text of the error; {@linkcode Rule.message} is used when
   * the evaluation fails.
   *
   * @default none
   */
  readonly messageExpression?: string;
  /**
   * The machine-readable reason of the error for a value that violates the rule.
   *
   * @default {"FieldValueInvalid"}
   */
  readonly reason?:
    | "FieldValueInvalid"
    | "FieldValueForbidden"
    | "FieldValueRequired"
    | "FieldValueDuplicate";
  /**
   * The path, below the value, of the field that the error of the rule names, such as
   * `.spec.replicas` or `.list`.
   *
   * @default the path of the value
   */
  readonly fieldPath?: string;
  /**
   * Sets whether the API server also checks a transition rule when there is no earlier value;
   * `oldSelf` is then an optional value of CEL.
   *
   * @default {false}
   */
  readonly optionalOldSelf?: boolean;
}

/**
 * The options that each function of `s`, the schema builder, accepts, except `s.optional` and
 * `s.nullable`.
 */
export interface CommonOptions {
  /** The description of the field with this schema, which `kubectl explain` shows. @default none */
  readonly description?: string;
  /**
   * The reason for which the field is deprecated, and the field that replaces it. A
   * CustomResourceDefinition has no keyword for deprecated fields, so the description gets a
   * paragraph that begins with `Deprecated:`.
   *
   * @default the field is not deprecated
   */
  readonly deprecated?: string;
  /** The CEL rules that values of this schema must satisfy. @default none */
  readonly rules?: readonly Rule[];
  /**
   * Sets whether updates must not change the value. An immutable optional field is neither added
   * nor removed; with `once-set`, it may be added later, and not be removed from then on.
   *
   * @default {false}
   */
  readonly immutable?: boolean | "once-set";
}

/** The options of a schema with a default value. */
export interface WithDefault<T> {
  /**
   * The default: the value of the field when users omit it. The API server fills it in on each
   * write and read.
   */
  readonly default: T;
}

/** The CEL rule that makes a value immutable. */
const IMMUTABLE: Rule = { rule: "self == oldSelf", message: "field is immutable" };

/** The inputs from which {@linkcode define} builds a schema. */
interface Definition {
  /** The JSON schema that {@linkcode define} completes by the options. */
  readonly json: V1JSONSchemaProps;
  readonly options: CommonOptions & { readonly default?: unknown };
  /**
   * The problems of nested schemas, with their paths, and of options that the JSON schema does not
   * contain.
   */
  readonly problems?: readonly SchemaProblem[];
}

/**
 * Creates a schema from its JSON and the common options of schema builders, and collects its
 * problems.
 */
export function define<Node>({ json, options, problems = [] }: Definition): Node {
  const { description, deprecated, rules = [], immutable = false } = options;
  const text = [description, deprecated !== undefined && `Deprecated: ${deprecated}`]
    .filter((part) => typeof part === "string").join("\n\n");
  const given = Array.isArray(rules) ? rules as readonly Rule[] : [];
  const allRules = immutable === false ? given : [...given, IMMUTABLE];
  const value = jsonCopy(options.default);
  const complete: V1JSONSchemaProps = {
    ...(text !== "" && { description: text }),
    ...json,
    ...(value !== undefined && { default: value }),
    ...(allRules.length > 0 &&
      { "x-kubernetes-validations": allRules.map((rule) => ({ ...rule })) }),
  };
  return new SchemaNode({
    json: complete,
    presence: options.default === undefined ? undefined : "defaulted",
    immutable: immutable as Immutability,
    problems: [
      ...problems,
      ...checkKeywords(complete),
      ...checkOptions(options),
      ...checkRules(complete),
      ...checkDefault(complete),
    ],
  }) as Node;
}

/**
 * Returns a copy of a value as JSON represents it; `undefined` for a value that JSON cannot
 * represent, such as a function or a bigint.
 */
function jsonCopy(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}

/** Returns the problems of options with wrong types, for callers without type checking. */
function checkOptions({ rules = [], ...options }: Definition["options"]): SchemaProblem[] {
  const messages: string[] = [];
  if (options.default !== undefined && jsonCopy(options.default) === undefined) {
    messages.push("its default must be a value of JSON");
  }
  const isRule = (rule: unknown): boolean =>
    typeof rule === "object" && rule !== null && typeof (rule as Rule).rule === "string";
  if (!Array.isArray(rules) || !rules.every(isRule)) {
    messages.push(
      'rules must be an array of rules, such as [{ rule: "self > 0", message: "..." }]',
    );
  }
  return messages.map((message) => ({ path: "", message }));
}

/**
 * Returns the options of a schema builder without `default` and the {@linkcode CommonOptions}, and
 * without options that are undefined or false.
 */
export function keywordsOf<O extends CommonOptions & { readonly default?: unknown }>(
  options: O,
): Omit<O, keyof CommonOptions | "default"> {
  const { description: _1, deprecated: _2, rules: _3, immutable: _4, default: _5, ...rest } =
    options;
  for (const [name, value] of Object.entries(rest)) {
    if (value === undefined || value === false) delete rest[name as keyof typeof rest];
  }
  return rest;
}

/** Returns a problem for a schema with CEL rules if CEL cannot access the schema's values. */
function checkRules(json: V1JSONSchemaProps): SchemaProblem[] {
  if (json["x-kubernetes-validations"] === undefined || isVisibleInCel("self", json)) return [];
  const message = "a value of any type can have no CEL rules, and cannot be immutable; " +
    "give it a type, such as s.map(s.string())";
  return [{ path: "", message }];
}

/** Returns the problems of a schema's default that does not match the schema. */
function checkDefault(json: V1JSONSchemaProps): SchemaProblem[] {
  if (json.default === undefined) return [];
  return mismatches(json, json.default).map(({ path, message }) => ({
    path: "",
    message: `its default ${JSON.stringify(json.default)} does not match: ` +
      (path === "" ? message : `${path} ${message}`),
  }));
}
