// Mirrors `apis/apiextensions/validation/cel_validation.go, CELSchemaContext`.
import { trimSpace } from "../../values/go_text.ts";
import {
  type FieldError,
  forbiddenField,
  internalFieldError,
  invalid,
  notSupported,
  required,
} from "../../errors/field_error.ts";
import type { FieldPath } from "../../errors/field_path.ts";
import type { CelSchema, ValidationRule } from "../cel_schema.ts";
import { declaredType, sizeAt } from "../schema/declared_type.ts";
import { type CompiledRule, compileRules } from "./compile_rule.ts";
import { normaliseFieldPath } from "./field_path_rule.ts";
import {
  childCardinality,
  costProblem,
  RULE_COST_LIMIT,
  ruleCost,
  TOTAL_COST_LIMIT,
  TotalCost,
} from "./rule_costs.ts";

/**
 * The errors in the CEL rules of a schema: those in the form of the rules, and those in their
 * expressions.
 */
export interface DefinitionProblems {
  /** The errors in the form of the CEL rules, such as an empty message. */
  readonly ruleErrors: FieldError[];
  /**
   * The errors in the expressions of the CEL rules: syntax, types, cost, and wrong uses of
   * `oldSelf`.
   */
  readonly errors: FieldError[];
}

const REASONS = [
  "FieldValueDuplicate",
  "FieldValueForbidden",
  "FieldValueInvalid",
  "FieldValueRequired",
];

interface Node {
  readonly schema: CelSchema;
  readonly path: FieldPath;
  readonly isRoot: boolean;
  readonly cardinality: number | undefined;
  /**
   * The field path of the outermost schema node of a list whose items cannot be matched between the
   * old and the new object, so that CEL rules below cannot use `oldSelf`; `undefined` if there is
   * none.
   */
  readonly uncorrelated: FieldPath | undefined;
}

/**
 * Checks all CEL rules of a schema and of the schemas below it in steps, as kube-apiserver does
 * when a CustomResourceDefinition is written, and returns the errors.
 */
export function* checkDefinition(
  schema: CelSchema,
  path: FieldPath,
  schemaErrors: readonly FieldError[],
  suppressCost: boolean,
): Generator<void, DefinitionProblems> {
  const check = new DefinitionCheck(schemaErrors, suppressCost);
  yield* check.visit({ schema, path, isRoot: true, cardinality: 1, uncorrelated: undefined });
  check.checkTotal(path);
  return check;
}

class DefinitionCheck implements DefinitionProblems {
  readonly ruleErrors: FieldError[] = [];
  readonly errors: FieldError[] = [];
  readonly #faulty: readonly string[];
  readonly #suppressCost: boolean;
  readonly #total = new TotalCost();

  constructor(schemaErrors: readonly FieldError[], suppressCost: boolean) {
    this.#faulty = schemaErrors.map(({ field }) => field);
    this.#suppressCost = suppressCost;
  }

  /**
   * Checks the CEL rules of a schema node, after the rules of all nodes below it. Adds the errors
   * to `ruleErrors` and `errors`.
   */
  *visit(node: Node): Generator<void, void> {
    const { schema, path } = node;
    const before = this.ruleErrors.length;
    const cardinality = childCardinality(schema, node.cardinality);
    const child = (
      below: CelSchema,
      at: FieldPath,
      uncorrelated = node.uncorrelated,
    ): Generator<void, void> =>
      this.visit({ schema: below, path: at, isRoot: false, cardinality, uncorrelated });
    if (typeof schema.additionalProperties === "object") {
      yield* child(schema.additionalProperties, path.child("additionalProperties"));
    }
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      yield* child(property, path.child("properties").key(name));
    }
    if (schema.items) {
      const isMap = schema["x-kubernetes-list-type"] === "map";
      yield* child(
        schema.items,
        path.child("items"),
        node.uncorrelated ?? (isMap ? undefined : path),
      );
    }
    const rules = schema["x-kubernetes-validations"] ?? [];
    for (const [index, rule] of rules.entries()) this.#checkForm(rule, index, node);
    const isFaulty = this.ruleErrors.length > before ||
      this.#faulty.some((field) => field.startsWith(String(path)));
    if (rules.length > 0 && !isFaulty) yield* this.#checkExpressions(node);
  }

  #checkForm(rule: ValidationRule, index: number, { schema, path }: Node): void {
    const at = (name: string): FieldPath => rulePath(path, index, name);
    const add = (error: FieldError): void => void this.ruleErrors.push(error);
    const text = trimSpace(rule.rule ?? "");
    const message = trimSpace(rule.message ?? "");
    if (text === "") add(required(at("rule"), "rule is not specified"));
    else if (rule.message && message === "") {
      add(invalid(at("message"), rule.message, "must be non-empty if specified"));
    } else if (/[\n\r]/.test(message)) {
      add(invalid(at("message"), rule.message, "must not contain line breaks"));
    } else if (/[\n\r]/.test(text) && message === "") {
      add(required(at("message"), "message must be specified if rule contains line breaks"));
    }
    if (rule.messageExpression && trimSpace(rule.messageExpression) === "") {
      add(required(at("messageExpression"), "messageExpression must be non-empty if specified"));
    }
    if (rule.reason !== undefined && !REASONS.includes(rule.reason)) {
      add(notSupported(at("reason"), rule.reason, REASONS));
    }
    if (!rule.fieldPath) return;
    if (trimSpace(rule.fieldPath) === "") {
      add(invalid(at("fieldPath"), rule.fieldPath, "must be non-empty if specified"));
    }
    if (/[\n\r]/.test(rule.fieldPath)) {
      add(invalid(at("fieldPath"), rule.fieldPath, "must not contain line breaks"));
    }
    if (normaliseFieldPath(rule.fieldPath, schema) === undefined) {
      add(invalid(at("fieldPath"), rule.fieldPath, "must be a valid path"));
    }
  }

  *#checkExpressions(node: Node): Generator<void, void> {
    const { schema, path, isRoot, cardinality } = node;
    const type = declaredType(schema, isRoot || schema["x-kubernetes-embedded-resource"] === true);
    if (!type) {
      this.errors.push(internalFieldError(
        path.child("x-kubernetes-validations"),
        "internal error: failed to construct type information for x-kubernetes-validations rules: " +
          "unable to convert structural schema to CEL declarations",
      ));
      return;
    }
    const sizeOf = (steps: readonly string[]) => sizeAt(type, steps);
    for (const [index, compiled] of (yield* compileRules(schema, type)).entries()) {
      yield;
      const most = compiled.program?.estimate(sizeOf).max ?? 0;
      const cost = ruleCost(most, cardinality, type);
      this.#checkCost("estimated rule cost", cost, rulePath(path, index, "rule"));
      this.#checkCompiled(compiled, index, node);
      if (compiled.message) {
        const at = rulePath(path, index, "messageExpression");
        this.#checkCost(
          "estimated messageExpression cost",
          compiled.message.estimate(sizeOf).max,
          at,
        );
      }
      this.#checkOldSelf(compiled, index, node);
    }
  }

  #checkCost(what: string, cost: number, path: FieldPath): void {
    if (!this.#suppressCost && cost > RULE_COST_LIMIT) {
      this.errors.push(forbiddenField(path, costProblem(what, cost, RULE_COST_LIMIT)));
    }
    this.#total.observe(String(path), cost);
  }

  #checkCompiled({ rule, error, messageError }: CompiledRule, index: number, { path }: Node): void {
    if (error !== undefined) {
      this.errors.push(invalid(rulePath(path, index, "rule"), shownRule(rule), error));
    }
    if (messageError !== undefined) {
      const at = rulePath(path, index, "messageExpression");
      this.errors.push(invalid(at, shownRule(rule), messageError));
    }
  }

  #checkOldSelf({ rule, usesOldSelf }: CompiledRule, index: number, node: Node): void {
    if (!usesOldSelf) {
      if (rule.optionalOldSelf === undefined) return;
      this.errors.push(invalid(
        rulePath(node.path, index, "optionalOldSelf"),
        rule.optionalOldSelf,
        "may not be set if oldSelf is not used in rule",
      ));
    } else if (node.uncorrelated) {
      this.errors.push(invalid(
        rulePath(node.path, index, "rule"),
        rule.rule,
        "oldSelf cannot be used on the uncorrelatable portion of the schema within " +
          String(node.uncorrelated),
      ));
    }
  }

  /**
   * Checks the estimated cost of all CEL rules of a schema together. Above the limit, adds to
   * `errors` an error for each of the most expensive rules (at most four), and one for the sum.
   */
  checkTotal(path: FieldPath): void {
    if (this.#total.total <= TOTAL_COST_LIMIT) return;
    for (const field of this.#total.mostExpensive) {
      const body = "Forbidden: contributed to estimated rule cost total exceeding cost limit for " +
        "entire OpenAPIv3 schema";
      this.errors.push({ type: "FieldValueForbidden", field, body });
    }
    const what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
    this.errors.push(
      forbiddenField(path, costProblem(what, this.#total.total, TOTAL_COST_LIMIT)),
    );
  }
}

function rulePath(path: FieldPath, index: number, name: string): FieldPath {
  return path.child("x-kubernetes-validations").index(index).child(name);
}

/**
 * Returns a CEL rule as a record with the field names of the Go struct, which error messages show
 * in the form of Go's `%v`.
 */
function shownRule(rule: ValidationRule): unknown {
  return {
    Rule: rule.rule,
    Message: rule.message ?? "",
    MessageExpression: rule.messageExpression ?? "",
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? "",
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}
