// Mirrors `webhook/matchconditions/matcher.go, matcher.Match`.
import { BOOL } from "@xca/apimachinery/internal/cel";
import type { CelValue, Program } from "@xca/apimachinery/internal/cel/expressions";
import { compileExpression, evaluationProblem } from "./expressions.ts";
import type { MatchCondition } from "./webhooks/hook.ts";

/**
 * The limit on the total CEL cost, in CEL cost units, of evaluating all match conditions of one
 * webhook or policy once; that of kube-apiserver.
 */
const CONDITIONS_BUDGET = 2_500_000;

const OUT_OF_BUDGET = "validation failed due to running out of cost budget, " +
  "no further validation rules will be run";

/**
 * The result of evaluating match conditions: either `matches`, which reports whether all are true,
 * or `problem`, the message about conditions that cannot be evaluated.
 */
export type ConditionsResult = { readonly matches: boolean } | { readonly problem: string };

interface CompiledCondition {
  readonly expression: string;
  /**
   * The program of a match condition's CEL expression, or the error message if it does not compile;
   * `undefined` before the first evaluation.
   */
  program: Program | string | undefined;
}

/**
 * The match conditions of a webhook or a policy. Their CEL expressions are compiled at the first
 * evaluation.
 */
export class Conditions {
  readonly #compiled: readonly CompiledCondition[];
  readonly #hasParams: boolean;

  constructor(conditions: readonly MatchCondition[], hasParams: boolean) {
    this.#hasParams = hasParams;
    this.#compiled = conditions.map(({ expression }) => ({ expression, program: undefined }));
  }

  /**
   * Evaluates the match conditions of a webhook or policy in steps, between which other requests
   * may run. If a condition is false, the webhook or policy does not apply, even if other
   * conditions have errors. Exceeding the cost limit is an error that ends the evaluation. With
   * `ignore`, an error counts as a false condition.
   */
  *check(
    variables: (name: string) => CelValue | undefined,
    ignore: boolean,
  ): Generator<void, ConditionsResult> {
    let budget = CONDITIONS_BUDGET;
    const problems: string[] = [];
    for (const condition of this.#compiled) {
      yield;
      const { expression } = condition;
      const program = condition.program ??= this.#compile(expression);
      if (typeof program === "string") {
        problems.push(`compilation error: ${program}`);
        continue;
      }
      const { value, cost } = yield* program.evaluateInSteps(variables);
      budget -= cost;
      if (budget < 0) {
        return ignore ? { matches: false } : { problem: OUT_OF_BUDGET };
      }
      if (value === false) return { matches: false };
      const problem = evaluationProblem(expression, value);
      if (problem !== undefined) problems.push(problem);
    }
    if (problems.length === 0) return { matches: true };
    if (ignore) return { matches: false };
    const unique = [...new Set(problems)];
    return { problem: unique.length === 1 ? unique[0]! : `[${unique.join(", ")}]` };
  }

  #compile(expression: string): Program | string {
    const scope = { hasParams: this.#hasParams, hasAuthorizer: true };
    const program = compileExpression(expression, scope, [BOOL]);
    return "problem" in program ? program.problem : program;
  }
}
