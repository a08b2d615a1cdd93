// Mirrors `cel/program.go, Program`.
import { type CheckedExpression, checkExpression } from "./check/checker.ts";
import { constantProblem } from "./check/constant_rules.ts";
import { checkLiterals } from "./check/literal_rules.ts";
import { estimateCost, type SizeOf } from "./cost/estimator.ts";
import type { Range } from "./cost/ranges.ts";
import type { Environment } from "./environment.ts";
import { evaluate, evaluateInSteps, type Evaluation } from "./evaluate/evaluator.ts";
import { loopyNodes } from "./evaluate/loop_steps.ts";
import type { Variables } from "./evaluate/scope.ts";
import { type Expr, occurrences } from "./syntax/ast.ts";
import { parseExpression } from "./syntax/parser.ts";
import { SourceErrors } from "./syntax/source_errors.ts";
import type { CelType } from "./types/cel_type.ts";

/**
 * The default limit of the cost of one evaluation of a CEL expression, in cost units of CEL; the
 * same as `PerCallLimit` of kube-apiserver.
 */
export const CALL_COST_LIMIT = 1_000_000;

/** A compiled CEL expression, which estimates its cost and evaluates itself. */
export class Program {
  readonly #checked: CheckedExpression;
  readonly #environment: Environment;
  #loopy: ReadonlySet<Expr> | undefined;

  constructor(checked: CheckedExpression, environment: Environment) {
    this.#checked = checked;
    this.#environment = environment;
  }

  /** The type of the compiled CEL expression's result. */
  get type(): CelType {
    return this.#checked.types.get(this.#checked.expr.id)!;
  }

  /**
   * Reports whether the compiled CEL expression refers to the variable `name` anywhere; a loop
   * variable of that name counts too.
   */
  uses(name: string): boolean {
    for (const expr of occurrences(this.#checked.expr).keys()) {
      if (expr.kind === "ident" && expr.name === name) return true;
      if (this.#checked.names.get(expr.id) === name) return true;
    }
    return false;
  }

  /**
   * Returns the estimated minimum and maximum cost of the compiled CEL expression, for variables of
   * the sizes that `sizeOf` returns; by default, the sizes are unknown.
   */
  estimate(sizeOf: SizeOf = () => undefined): Range {
    return estimateCost(this.#checked, sizeOf);
  }

  /**
   * Reports whether the compiled CEL expression has a loop or uses a policy variable, so that its
   * evaluation may take long.
   */
  get isLoopy(): boolean {
    return (this.#loopy ??= loopyNodes(this.#checked.expr)).size > 0;
  }

  /**
   * Evaluates the compiled CEL expression in steps, between which other work may run. Like
   * `evaluate`, it never throws.
   */
  *evaluateInSteps(
    variables: Variables,
    limit: number = CALL_COST_LIMIT,
  ): Generator<void, Evaluation> {
    if (!this.isLoopy) return this.evaluate(variables, limit);
    const { functions } = this.#environment;
    return yield* evaluateInSteps(this.#checked, functions, variables, limit, this.#loopy!);
  }

  /**
   * Evaluates the compiled CEL expression. Never throws: the value of an evaluation that fails, or
   * that costs more than `limit`, is a `CelError`.
   */
  evaluate(variables: Variables, limit: number = CALL_COST_LIMIT): Evaluation {
    return evaluate(this.#checked, this.#environment.functions, variables, limit);
  }
}

/** The result of {@linkcode compile} for a CEL expression that does not compile. */
export class CompileFailure {
  constructor(
    /**
     * The stage of the CEL expression's compilation that failed, in the words of error messages.
     */
    readonly stage: "compilation" | "program instantiation",
    /**
     * The error messages of the CEL expression, separated by line feeds; at stage `compilation`
     * with the lines of the source that they are about.
     */
    readonly text: string,
  ) {}
}

/**
 * Parses and checks a CEL expression and returns the compiled program, or the errors of an invalid
 * expression.
 */
export function compile(source: string, environment: Environment): Program | CompileFailure {
  const { expr, errors } = parseExpression(source);
  if (!expr) return new CompileFailure("compilation", String(errors));
  const typeErrors = new SourceErrors(source);
  const checked = checkExpression(expr, environment, typeErrors);
  if (typeErrors.count === 0) checkLiterals(checked, typeErrors);
  if (typeErrors.count > 0) return new CompileFailure("compilation", String(typeErrors));
  const problem = constantProblem(checked, environment.functions);
  if (problem !== undefined) return new CompileFailure("program instantiation", problem);
  return new Program(checked, environment);
}
