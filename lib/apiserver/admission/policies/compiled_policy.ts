// Mirrors `policy/validating/validator.go, validator.Validate`.
import { BOOL, NULL, STRING } from "@xca/apimachinery/internal/cel";
import { Conditions } from "../conditions.ts";
import type { ExpressionScope } from "../expressions.ts";
import {
  Budget,
  Compiled,
  OUT_OF_BUDGET,
  OutOfBudget,
  PolicyVariables,
  type Variables,
} from "./composed.ts";
import type { PolicySpec, Validation } from "./policy.ts";

const MAX_MESSAGE_BYTES = 5 * 1024;

/**
 * A record of the failure of a ValidatingAdmissionPolicy: a validation that is false, or an
 * expression that cannot be evaluated.
 */
export interface Violation {
  readonly message: string;
  readonly reason?: string;
  /**
   * Reports whether an expression of the admission policy could not be evaluated, so that the
   * policy's `failurePolicy` decides whether the write is refused; false for a validation that is
   * false.
   */
  readonly isError: boolean;
}

interface CompiledValidation {
  readonly validation: Validation;
  readonly rule: Compiled;
  readonly message: Compiled | undefined;
}

/**
 * A ValidatingAdmissionPolicy that can be evaluated. The expressions of its variables are compiled
 * at once, all others when they are first evaluated.
 */
export class CompiledPolicy {
  readonly #spec: PolicySpec;
  readonly #conditions: Conditions | undefined;
  readonly #variables: PolicyVariables;
  readonly #validations: readonly CompiledValidation[];
  readonly #annotations: readonly Compiled[];

  constructor(spec: PolicySpec) {
    this.#spec = spec;
    const hasParams = spec.paramKind !== undefined;
    const { matchConditions = [], variables = [], validations = [], auditAnnotations = [] } = spec;
    this.#conditions = matchConditions.length > 0
      ? new Conditions(matchConditions, hasParams)
      : undefined;
    this.#variables = new PolicyVariables(variables, hasParams);
    const scope = (): ExpressionScope => this.#variables.scope(true);
    const scopeOfMessage = (): ExpressionScope => this.#variables.scope(false);
    this.#validations = validations.map((validation) => ({
      validation,
      rule: new Compiled(validation.expression, scope, [BOOL]),
      message: validation.messageExpression
        ? new Compiled(validation.messageExpression, scopeOfMessage, [STRING])
        : undefined,
    }));
    this.#annotations = auditAnnotations.map(({ valueExpression }) =>
      new Compiled(valueExpression, scope, [STRING, NULL])
    );
  }

  /**
   * Evaluates the validations and audit annotations of an admission policy in steps, between which
   * other requests may run. Returns the violations: none if a match condition of the policy is
   * false; a single one, with `isError`, if the match conditions cannot be evaluated, or the
   * expressions exceed the CEL cost limit.
   */
  *check(outer: Variables): Generator<void, readonly Violation[]> {
    const ignore = this.#spec.failurePolicy === "Ignore";
    const conditions = this.#conditions && (yield* this.#conditions.check(outer, ignore));
    if (conditions && "problem" in conditions) {
      return [{ message: conditions.problem, isError: true }];
    }
    if (conditions && !conditions.matches) return [];
    const budget = new Budget();
    const variables = this.#variables.within(outer, budget);
    const violations: Violation[] = [];
    try {
      for (const each of this.#validations) {
        const violation = yield* this.#checkOne(each, variables, budget);
        if (violation) violations.push(violation);
      }
      for (const annotation of this.#annotations) {
        const problem = yield* budget.run(annotation, variables);
        if (typeof problem === "object" && problem && "problem" in problem) {
          violations.push({ message: problem.problem, isError: true });
        }
      }
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error;
      return [{ message: OUT_OF_BUDGET, isError: true }];
    }
    return violations;
  }

  *#checkOne(
    { validation, message, rule }: CompiledValidation,
    variables: Variables,
    budget: Budget,
  ): Generator<void, Violation | undefined> {
    const value = yield* budget.run(rule, variables);
    if (typeof value === "object" && value !== null && "problem" in value) {
      return { message: value.problem, isError: true };
    }
    if (value === true) return undefined;
    const said = message && (yield* budget.run(message, variables));
    return {
      message: (typeof said === "string" ? usable(said) : "") || validation.message?.trim() ||
        `failed expression: ${validation.expression.trim()}`,
      ...(validation.reason !== undefined && { reason: validation.reason }),
      isError: false,
    };
  }
}

/**
 * Returns the message of a `messageExpression` trimmed, or an empty text if it is too long or has
 * several lines.
 */
function usable(text: string): string {
  const trimmed = text.trim();
  const isTooLong = new TextEncoder().encode(trimmed).length > MAX_MESSAGE_BYTES;
  return isTooLong || trimmed.includes("\n") ? "" : trimmed;
}
