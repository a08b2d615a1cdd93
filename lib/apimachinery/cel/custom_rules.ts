import type { Json } from "../values/api_object.ts";
import type { FieldError } from "../errors/field_error.ts";
import type { FieldPath } from "../errors/field_path.ts";
import type { CelSchema } from "./cel_schema.ts";
import { checkDefinition } from "./rules/check_definition.ts";
import { RuleCheck } from "./rules/rule_check.ts";
import { buildRuleTree, type RuleTree } from "./rules/rule_tree.ts";

/** Options for {@linkcode checkCustomRules}. */
export interface CustomRulesOptions {
  /**
   * What is wrong with the schema itself: rules at or above such a field are not compiled, since
   * their types could not be told.
   */
  readonly schemaErrors?: readonly FieldError[];
  /** Tolerates rules that are too expensive: those of an update that were stored already. */
  readonly suppressCost?: boolean;
}

/** The result of {@linkcode checkCustomRules}. */
export interface CustomRuleProblems {
  /** What is wrong with the form of the rules (an empty message, a wrong `fieldPath`). */
  readonly ruleErrors: readonly FieldError[];
  /** What is wrong with their expressions: syntax, types, cost. To be shown after all others. */
  readonly errors: readonly FieldError[];
}

/** How {@linkcode CustomRules.check} checks. */
export interface CustomRulesCheckOptions {
  /** An update: errors of unchanged parts are warnings (ratcheting). */
  readonly isUpdate: boolean;
  /** Gets those warnings. */
  readonly warn?: (text: string) => void;
}

/** The rules of one version of a CustomResourceDefinition. */
export class CustomRules {
  readonly #tree: RuleTree;

  constructor(tree: RuleTree) {
    this.#tree = tree;
  }

  /**
   * What the rules refuse of an object that the schema accepts. `oldValue` is `undefined` on create.
   * `path` is `FieldPath.root` for a whole object. In steps, between which others may have their turn.
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
 * Checks all `x-kubernetes-validations` below a structural schema, which is the `openAPIV3Schema` of a
 * version (`path` leads to it); in steps, between which others may have their turn.
 */
export function checkCustomRules(
  schema: CelSchema,
  path: FieldPath,
  { schemaErrors = [], suppressCost = false }: CustomRulesOptions = {},
): Generator<void, CustomRuleProblems> {
  return checkDefinition(schema, path, schemaErrors, suppressCost);
}

/**
 * Compiles all rules below a structural schema; `undefined` where there are none. Rules that do not
 * compile refuse what they apply to. In steps, between which others may have their turn.
 */
export function* compileCustomRules(
  schema: CelSchema,
): Generator<void, CustomRules | undefined> {
  const tree = yield* buildRuleTree(schema);
  return tree && new CustomRules(tree);
}
