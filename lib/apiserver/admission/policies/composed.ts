/**
 * Expressions of a policy, which may use the policy's variables and share what they may cost.
 *
 * @module
 */
import { type CelType, DYN } from "@xca/apimachinery/internal/cel";
import {
  CelError,
  CelMap,
  type CelValue,
  type Program,
} from "@xca/apimachinery/internal/cel/expressions";
import { compileExpression, evaluationProblem, type ExpressionScope } from "../expressions.ts";
import type { PolicyVariable } from "./policy.ts";

/** How much the rules of one binding, or one mutation, may cost. */
const BUDGET = 10_000_000;

/** What is said when they cost more. */
export const OUT_OF_BUDGET: string = "validation failed due to running out of cost budget, " +
  "no further validation rules will be run";

/** The values of names. */
export type Variables = (name: string) => CelValue | undefined;

/** An expression, or what is wrong with it. */
export interface Compiled {
  readonly source: string;
  readonly program: Program | string;
}

/** Compiles an expression, whatever comes of it. */
export function compiledExpression(
  source: string,
  scope: ExpressionScope,
  types: readonly CelType[] = [],
): Compiled {
  const program = compileExpression(source, scope, types);
  return { source, program: "problem" in program ? program.problem : program };
}

/** The variables of a policy. */
export class PolicyVariables {
  readonly #compiled = new Map<string, Compiled>();
  readonly #types = new Map<string, CelType>();
  readonly #hasParams: boolean;

  constructor(variables: readonly PolicyVariable[], hasParams: boolean) {
    this.#hasParams = hasParams;
    for (const { name, expression } of variables) {
      const scope = { ...this.scope(true), variables: this.#types };
      const compiled = compiledExpression(expression, scope);
      this.#compiled.set(name, compiled);
      this.#types.set(name, typeof compiled.program === "string" ? DYN : compiled.program.type);
    }
  }

  /** What an expression of the policy may use. */
  scope(hasAuthorizer: boolean): ExpressionScope {
    return {
      hasParams: this.#hasParams,
      hasAuthorizer,
      ...(this.#compiled.size > 0 && { variables: this.#types }),
    };
  }

  /** With the variables, which are evaluated when they are first used, and count to who uses them. */
  within(outer: Variables, budget: Budget): Variables {
    if (this.#compiled.size === 0) return outer;
    const lookup: Variables = (name) => name === "variables" ? map : outer(name);
    const map = new LazyVariables(this.#compiled, lookup, budget);
    return lookup;
  }
}

/** More was spent than there was. */
export class OutOfBudget extends Error {
  override readonly name = "OutOfBudget";
}

/** What is left for the rules of one evaluation. */
export class Budget {
  #left = BUDGET;

  spend(cost: number): void {
    this.#left -= cost;
    if (this.#left < 0) throw new OutOfBudget(OUT_OF_BUDGET);
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
