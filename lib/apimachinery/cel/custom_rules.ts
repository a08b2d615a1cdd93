// Mirrors `schema/cel/validation.go, Validator`.
import type { Json } from "../values/api_object.ts";
import type { FieldError } from "../errors/field_error.ts";
import type { FieldPath } from "../errors/field_path.ts";
import type { CelSchema } from "./cel_schema.ts";
import { checkDefinition } from "./rules/check_definition.ts";
import { RuleCheck } from "./rules/rule_check.ts";
import { buildRuleTree, type RuleTree } from "./rules/rule_tree.ts";

/**
 * Options for {@linkcode checkCustomRules}, which checks the CEL rules of a
 * CustomResourceDefinition.
 */
export interface CustomRulesOptions {
  /**
   * The errors in the schema itself. CEL rules at or above the field of such an error are not
   * compiled, since their types are unknown.
   */
  readonly schemaErrors?: readonly FieldError[];
  /**
   * Sets whether CEL rules that exceed the cost limit of a single rule or message expression are
   * accepted. The limit of the sum of all rules applies in any case.
   *
   * @default {false}
   */
  readonly suppressCost?: boolean;
}

/**
 * The result of {@linkcode checkCustomRules}: the errors in the CEL rules of a
 * CustomResourceDefinition.
 */
export interface CustomRuleProblems {
  /**
   * The errors in the form of the CEL rules, such as an empty message or an invalid `fieldPath`.
   */
  readonly ruleErrors: readonly FieldError[];
  /**
   * The errors in the expressions of the CEL rules: syntax, types, cost, and wrong uses of
   * `oldSelf`. They are reported after all other errors of the CustomResourceDefinition.
   */
  readonly errors: readonly FieldError[];
}

/** Options for {@linkcode CustomRules.check}, which applies the CEL rules to an object. */
export interface CustomRulesCheckOptions {
  /**
   * Sets whether the object is updated rather than created. On an update, a rule that an unchanged
   * value violates causes a warning instead of an error (ratcheting), unless the rule uses
   * `oldSelf`.
   */
  readonly isUpdate: boolean;
  /**
   * A callback that receives the warnings about unchanged values of an updated object that violate
   * CEL rules.
   *
   * @default none: the warnings are dropped
   */
  readonly warn?: (text: string) => void;
}

/** The compiled CEL rules of one version of a CustomResourceDefinition. */
export class CustomRules {
  readonly #tree: RuleTree;

  constructor(tree: RuleTree) {
    this.#tree = tree;
  }

  /**
   * Returns the errors about the CEL rules that a JSON value violates; the value must match the
   * schema. `oldValue` is the stored value, `undefined` on create; `path` is `FieldPath.root` for a
   * whole object. Runs in steps, between which other work may run.
   */
  check(
    value: Json,
    oldValue: Json | undefined,
    path: FieldPath,
    { isUpdate, warn = () => {} }: CustomRulesCheckOptions,
  ): Generator<void, FieldError[]> {
    return new RuleCheck(warn).run(this.#tree, path, value, oldValue, isUpdate);
  }
}

/**
 * Checks the form, the types and the costs of all CEL rules (`x-kubernetes-validations`) in a
 * structural schema, the `openAPIV3Schema` of a version at `path`, and returns the errors. Runs in
 * steps, between which other work may run.
 */
export function checkCustomRules(
  schema: CelSchema,
  path: FieldPath,
  { schemaErrors = [], suppressCost = false }: CustomRulesOptions = {},
): Generator<void, CustomRuleProblems> {
  return checkDefinition(schema, path, schemaErrors, suppressCost);
}

/**
 * Compiles all CEL rules in a structural schema; returns `undefined` for a schema without rules. A
 * rule that does not compile rejects every value that it applies to. Runs in steps, between which
 * other work may run.
 */
export function* compileCustomRules(
  schema: CelSchema,
): Generator<void, CustomRules | undefined> {
  const tree = yield* buildRuleTree(schema);
  return tree && new CustomRules(tree);
}
