import { BOOL, NULL, STRING } from "@xca/apimachinery/internal/cel";
import { Conditions } from "../conditions.ts";
import type { ExpressionScope } from "../expressions.ts";
import {
  Budget,
  type Compiled,
  compiledExpression,
  OUT_OF_BUDGET,
  OutOfBudget,
  PolicyVariables,
  type Variables,
} from "./composed.ts";
import type { PolicySpec, Validation } from "./policy.ts";

const MAX_MESSAGE_BYTES = 5 * 1024;

/** A rule that does not hold, or could not be evaluated. */
export interface Violation {
  readonly message: string;
  readonly reason?: string;
  /** It could not be evaluated: whether that denies is for `failurePolicy`. */
  readonly isError: boolean;
}

/** A policy whose expressions are compiled. */
export class CompiledPolicy {
  readonly #spec: PolicySpec;
  readonly #conditions: Conditions | undefined;
  readonly #variables: PolicyVariables;
  readonly #validations: readonly (Compiled & {
    readonly validation: Validation;
    readonly message: Compiled | undefined;
  })[];
  readonly #annotations: readonly Compiled[];

  constructor(spec: PolicySpec) {
    this.#spec = spec;
    const hasParams = spec.paramKind !== undefined;
    const { matchConditions = [], variables = [], validations = [], auditAnnotations = [] } = spec;
    this.#conditions = matchConditions.length > 0
      ? new Conditions(matchConditions, hasParams)
      : undefined;
    this.#variables = new PolicyVariables(variables, hasParams);
    const scope = (hasAuthorizer: boolean): ExpressionScope => this.#variables.scope(hasAuthorizer);
    this.#validations = validations.map((validation) => ({
      ...compiledExpression(validation.expression, scope(true), [BOOL]),
      validation,
      message: validation.messageExpression
        ? compiledExpression(validation.messageExpression, scope(false), [STRING])
        : undefined,
    }));
    this.#annotations = auditAnnotations.map(({ valueExpression }) =>
      compiledExpression(valueExpression, scope(true), [STRING, NULL])
    );
  }

  /** What the rules refuse; nothing when the policy's conditions do not hold. */
  check(outer: Variables): readonly Violation[] {
    const ignore = this.#spec.failurePolicy === "Ignore";
    const conditions = this.#conditions?.check(outer, ignore);
    if (conditions && "problem" in conditions) {
      return [{ message: conditions.problem, isError: true }];
    }
    if (conditions && !conditions.matches) return [];
    const budget = new Budget();
    const variables = this.#variables.within(outer, budget);
    const violations: Violation[] = [];
    try {
      for (const each of this.#validations) {
        const violation = this.#checkOne(each, variables, budget);
        if (violation) violations.push(violation);
      }
      for (const annotation of this.#annotations) {
        const problem = budget.run(annotation, variables);
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

  #checkOne(
    { validation, message, ...compiled }: Compiled & {
      readonly validation: Validation;
      readonly message: Compiled | undefined;
    },
    variables: Variables,
    budget: Budget,
  ): Violation | undefined {
    const value = budget.run(compiled, variables);
    if (typeof value === "object" && value !== null && "problem" in value) {
      return { message: value.problem, isError: true };
    }
    if (value === true) return undefined;
    const said = message && budget.run(message, variables);
    return {
      message: (typeof said === "string" ? usable(said) : "") || validation.message?.trim() ||
        `failed expression: ${validation.expression.trim()}`,
      ...(validation.reason !== undefined && { reason: validation.reason }),
      isError: false,
    };
  }
}

function usable(text: string): string {
  const trimmed = text.trim();
  const isTooLong = new TextEncoder().encode(trimmed).length > MAX_MESSAGE_BYTES;
  return isTooLong || trimmed.includes("\n") ? "" : trimmed;
}
