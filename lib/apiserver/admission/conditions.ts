import { BOOL } from "@xca/apimachinery/internal/cel";
import type { CelValue, Program } from "@xca/apimachinery/internal/cel/expressions";
import { compileExpression, evaluationProblem } from "./expressions.ts";
import type { MatchCondition } from "./webhooks/hook.ts";

/** How much all conditions of one webhook or policy may cost. */
const CONDITIONS_BUDGET = 2_500_000;

const OUT_OF_BUDGET = "validation failed due to running out of cost budget, " +
  "no further validation rules will be run";

/** What came of conditions: whether all hold, or what went wrong. */
export type ConditionsResult = { readonly matches: boolean } | { readonly problem: string };

interface CompiledCondition {
  readonly expression: string;
  readonly program: Program | string;
}

/** Conditions, compiled once. */
export class Conditions {
  readonly #compiled: readonly CompiledCondition[];

  constructor(conditions: readonly MatchCondition[], hasParams: boolean) {
    this.#compiled = conditions.map(({ expression }) => {
      const program = compileExpression(expression, { hasParams, hasAuthorizer: true }, [BOOL]);
      return { expression, program: "problem" in program ? program.problem : program };
    });
  }

  /** One that does not hold decides; only then errors count, and what they mean is for `ignore`. */
  check(
    variables: (name: string) => CelValue | undefined,
    ignore: boolean,
  ): ConditionsResult {
    let budget = CONDITIONS_BUDGET;
    const problems: string[] = [];
    for (const { expression, program } of this.#compiled) {
      if (typeof program === "string") {
        problems.push(`compilation error: ${program}`);
        continue;
      }
      const { value, cost } = program.evaluate(variables);
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
}
