// Mirrors `schema/cel/validation.go, NewValidator`.
import type { CelSchema } from "../cel_schema.ts";
import { type DeclaredType, declaredType } from "../schema/declared_type.ts";
import { escapeProperty } from "../schema/escaping.ts";
import { type CompiledRule, compileRules } from "./compile_rule.ts";
import { ownField } from "../../values/json_values.ts";

/** The compiled CEL rules of a schema and of all schemas below it. */
export interface RuleTree {
  readonly schema: CelSchema;
  readonly isRoot: boolean;
  readonly rules: readonly CompiledRule[];
  /**
   * The error message if the schema has CEL rules that cannot be compiled, since it declares no CEL
   * type; `undefined` otherwise.
   */
  readonly error: string | undefined;
  readonly items: RuleTree | undefined;
  readonly values: RuleTree | undefined;
  readonly properties: ReadonlyMap<string, RuleTree>;
  readonly allOf: readonly RuleTree[];
}

function hasRules(schema: CelSchema | boolean | undefined): boolean {
  if (schema === undefined || typeof schema === "boolean") return false;
  return (schema["x-kubernetes-validations"]?.length ?? 0) > 0 || hasRules(schema.items) ||
    hasRules(schema.additionalProperties) ||
    Object.values(schema.properties ?? {}).some(hasRules) || (schema.allOf ?? []).some(hasRules);
}

/**
 * Compiles all CEL rules of a resource's schema in steps; returns `undefined` for a schema without
 * rules.
 */
export function* buildRuleTree(schema: CelSchema): Generator<void, RuleTree | undefined> {
  if (!hasRules(schema)) return undefined;
  return yield* build(schema, schema, true, declaredType(schema, true));
}

/**
 * Builds the rule tree of a schema node; returns `undefined` if there are no rules at or below it.
 * `rules` is the schema that declares the rules: the node itself, or a part of its `allOf`.
 */
function* build(
  rules: CelSchema,
  node: CelSchema,
  isRoot: boolean,
  type: DeclaredType | undefined,
): Generator<void, RuleTree | undefined> {
  if (!hasRules(rules)) return undefined;
  const own = rules["x-kubernetes-validations"] ?? [];
  const compiled = type && own.length > 0
    ? yield* compileRules({ ...node, "x-kubernetes-validations": own }, type)
    : [];
  const { additionalProperties } = rules;
  const allOf: RuleTree[] = [];
  for (const part of rules.allOf ?? []) {
    const tree = yield* build(part, node, isRoot, type);
    if (tree) allOf.push(tree);
  }
  return {
    schema: node,
    isRoot,
    rules: compiled,
    error: own.length > 0 && !type
      ? "failed to convert to declType for CEL validation rules"
      : undefined,
    items: rules.items && node.items && (yield* below(rules.items, node.items, type?.element)),
    values: typeof additionalProperties === "object" &&
        typeof node.additionalProperties === "object"
      ? yield* below(additionalProperties, node.additionalProperties, type?.element)
      : undefined,
    properties: yield* properties(rules, node, type),
    allOf,
  };
}

function below(
  rules: CelSchema,
  node: CelSchema,
  type: DeclaredType | undefined,
): Generator<void, RuleTree | undefined> {
  return build(rules, node, node["x-kubernetes-embedded-resource"] === true, type);
}

function* properties(
  rules: CelSchema,
  node: CelSchema,
  type: DeclaredType | undefined,
): Generator<void, ReadonlyMap<string, RuleTree>> {
  const trees = new Map<string, RuleTree>();
  for (const [name, property] of Object.entries(rules.properties ?? {})) {
    const schema = ownField(node.properties ?? {}, name);
    if (!schema) continue;
    const escaped = escapeProperty(name);
    const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
    // A property whose name cannot be escaped for CEL has no field in the declared type, but may
    // have rules.
    const fieldType = escaped === undefined
      ? declaredType(schema, isEmbedded)
      : type?.fields?.get(escaped);
    const tree = fieldType && (yield* below(property, schema, fieldType));
    if (tree) trees.set(name, tree);
  }
  return trees;
}
