import type { Program } from "../../cel/program.ts";
import { BOOL, type CelType, DYN, NULL, STRING } from "../../cel/types/cel_type.ts";
import { CelError, CelMap, type CelValue } from "../../cel/values/value.ts";
import { Conditions } from "../conditions.ts";
import { compileExpression, evaluationProblem, type ExpressionScope } from "../expressions.ts";
import type { PolicySpec, Validation } from "./policy.ts";

/** How much the rules of one binding may cost. */
const BUDGET = 10_000_000;
const MAX_MESSAGE_BYTES = 5 * 1024;
const OUT_OF_BUDGET = "validation failed due to running out of cost budget, " +
  "no further validation rules will be run";

/** A rule that does not hold, or could not be evaluated. */
export interface Violation {
  readonly message: string;
  readonly reason?: string;
  /** It could not be evaluated: whether that denies is for `failurePolicy`. */
  readonly isError: boolean;
}

type Variables = (name: string) => CelValue | undefined;

interface Compiled {
  readonly source: string;
  readonly program: Program | string;
}

/** A policy whose expressions are compiled. */
export class CompiledPolicy {
  readonly #spec: PolicySpec;
  readonly #conditions: Conditions | undefined;
  readonly #variables = new Map<string, Compiled>();
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
    const types = new Map<string, CelType>();
    const scope = (hasAuthorizer: boolean): ExpressionScope => ({
      hasParams,
      hasAuthorizer,
      ...(variables.length > 0 && { variables: types }),
    });
    for (const { name, expression } of variables) {
      const compiled = compiledExpression(expression, scope(true));
      this.#variables.set(name, compiled);
      types.set(name, typeof compiled.program === "string" ? DYN : compiled.program.type);
    }
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
    const variables = this.#withVariables(outer, budget);
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

  /** Variables are evaluated when one of them is first used, and count to who uses it. */
  #withVariables(outer: Variables, budget: Budget): Variables {
    if (this.#variables.size === 0) return outer;
    const lookup: Variables = (name) => name === "variables" ? map : outer(name);
    const map = new LazyVariables(this.#variables, lookup, budget);
    return lookup;
  }
}

function compiledExpression(
  source: string,
  scope: ExpressionScope,
  types: readonly CelType[] = [],
): Compiled {
  const program = compileExpression(source, scope, types);
  return { source, program: "problem" in program ? program.problem : program };
}

function usable(text: string): string {
  const trimmed = text.trim();
  const isTooLong = new TextEncoder().encode(trimmed).length > MAX_MESSAGE_BYTES;
  return isTooLong || trimmed.includes("\n") ? "" : trimmed;
}

class OutOfBudget extends Error {
  override readonly name = "OutOfBudget";
}

/** What is left for the rules of one evaluation. */
class Budget {
  #left = BUDGET;

  spend(cost: number): void {
    this.#left -= cost;
    if (this.#left < 0) throw new OutOfBudget();
  }

  /** The value, or what went wrong. @throws {OutOfBudget} */
  run(
    { source, program }: Compiled,
    variables: Variables,
  ): CelValue | { readonly problem: string } {
    if (typeof program === "string") return { problem: `compilation error: ${program}` };
    const { value, cost } = program.evaluate(variables);
    this.spend(cost);
    const problem = evaluationProblem(source, value);
    return problem === undefined ? value : { problem };
  }
}

class LazyVariables extends CelMap {
  readonly #compiled: ReadonlyMap<string, Compiled>;
  readonly #outer: Variables;
  readonly #budget: Budget;
  readonly #values = new Map<string, CelValue>();

  constructor(
    compiled: ReadonlyMap<string, Compiled>,
    outer: Variables,
    budget: Budget,
  ) {
    super();
    this.#compiled = compiled;
    this.#outer = outer;
    this.#budget = budget;
  }

  override get size(): number {
    return this.#compiled.size;
  }

  override keys(): Iterable<CelValue> {
    return this.#compiled.keys();
  }

  override find(key: CelValue): CelValue | undefined {
    const compiled = typeof key === "string" ? this.#compiled.get(key) : undefined;
    if (!compiled) return undefined;
    const known = this.#values.get(key as string);
    if (known !== undefined) return known;
    const value = this.#evaluate(key as string, compiled);
    this.#values.set(key as string, value);
    return value;
  }

  #evaluate(name: string, { program }: Compiled): CelValue {
    const named = `composited variable "${name}"`;
    if (typeof program === "string") return new CelError(`${named} fails to compile: ${program}`);
    const { value, cost } = program.evaluate(this.#outer);
    this.#budget.spend(cost);
    return value instanceof CelError
      ? new CelError(`${named} fails to evaluate: ${value.message}`)
      : value;
  }
}
