/**
 * CEL expressions of an admission policy, which may use the policy's variables and share one cost
 * budget. Mirrors `admission/plugin/cel/composition.go, CompositedCompiler`.
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

/**
 * The limit on the CEL cost, in CEL cost units, of all validations, messages and audit annotations
 * of a policy for one binding and one parameter object, or of one mutation.
 */
const BUDGET = 10_000_000;

/** The error message when the expressions of an admission policy exceed the CEL cost limit. */
export const OUT_OF_BUDGET: string = "validation failed due to running out of cost budget, " +
  "no further validation rules will be run";

/** A function that returns the value of a CEL variable, or `undefined` for an unknown name. */
export type Variables = (name: string) => CelValue | undefined;

/** A CEL expression of an admission policy, compiled when `program` is first read. */
export class Compiled {
  readonly source: string;
  readonly #compile: () => ReturnType<typeof compileExpression>;
  #program: Program | string | undefined;

  /**
   * Creates a CEL expression that is not compiled yet. The type of its result must be one of the
   * given types; with none, it may be any type.
   */
  constructor(source: string, scope: () => ExpressionScope, types: readonly CelType[] = []) {
    this.source = source;
    this.#compile = () => compileExpression(source, scope(), types);
  }

  /**
   * The program of the CEL expression, which is compiled at the first access, or the error message
   * if the expression does not compile.
   */
  get program(): Program | string {
    if (this.#program !== undefined) return this.#program;
    const program = this.#compile();
    return this.#program = "problem" in program ? program.problem : program;
  }
}

/** The variables that an admission policy declares, which the constructor compiles. */
export class PolicyVariables {
  readonly #compiled = new Map<string, Compiled>();
  readonly #types = new Map<string, CelType>();
  readonly #hasParams: boolean;

  constructor(variables: readonly PolicyVariable[], hasParams: boolean) {
    this.#hasParams = hasParams;
    for (const { name, expression } of variables) {
      const scope = { ...this.scope(true), variables: this.#types };
      const compiled = new Compiled(expression, () => scope);
      this.#compiled.set(name, compiled);
      this.#types.set(name, typeof compiled.program === "string" ? DYN : compiled.program.type);
    }
  }

  /**
   * Returns the declarations of the variables that a CEL expression of the admission policy may
   * use, among which `authorizer` only with `hasAuthorizer`.
   */
  scope(hasAuthorizer: boolean): ExpressionScope {
    return {
      hasParams: this.#hasParams,
      hasAuthorizer,
      ...(this.#compiled.size > 0 && { variables: this.#types }),
    };
  }

  /**
   * Returns a lookup of the CEL variables of `outer` and of the map `variables` with the admission
   * policy's own variables; `outer` itself if the policy has none. A variable of the policy is
   * evaluated when it is first used, and its cost is subtracted from `budget`.
   */
  within(outer: Variables, budget: Budget): Variables {
    if (this.#compiled.size === 0) return outer;
    const lookup: Variables = (name) => name === "variables" ? map : outer(name);
    const map = new LazyVariables(this.#compiled, lookup, budget);
    return lookup;
  }
}

/** The error for expressions that exceed the CEL cost budget. */
export class OutOfBudget extends Error {
  override readonly name = "OutOfBudget";
}

/**
 * The CEL cost budget that the expressions of one evaluation of a ValidatingAdmissionPolicy, or of
 * one mutation, share.
 */
export class Budget {
  #left = BUDGET;

  /**
   * Subtracts the cost of a CEL expression from the budget.
   *
   * @throws {OutOfBudget} If the budget does not cover the cost.
   */
  spend(cost: number): void {
    this.#left -= cost;
    if (this.#left < 0) throw new OutOfBudget(OUT_OF_BUDGET);
  }

  /**
   * Evaluates a CEL expression in steps, so that other requests can run in between. Returns the
   * value of the expression, or `{ problem }` with the error message if it does not compile or its
   * evaluation fails.
   *
   * @throws {OutOfBudget} If the budget does not cover the cost.
   */
  *run(
    { source, program }: Compiled,
    variables: Variables,
  ): Generator<void, CelValue | { readonly problem: string }> {
    yield;
    if (typeof program === "string") return { problem: `compilation error: ${program}` };
    const { value, cost } = yield* program.evaluateInSteps(variables);
    this.spend(cost);
    const problem = evaluationProblem(source, value);
    return problem === undefined ? value : { problem };
  }
}

/**
 * The variables of an admission policy as the CEL map `variables`, whose values are evaluated at
 * their first use.
 */
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

  override *evaluateKey(name: string): Generator<void, void> {
    const compiled = this.#compiled.get(name);
    if (!compiled || this.#values.has(name) || typeof compiled.program === "string") return;
    const evaluation = yield* compiled.program.evaluateInSteps(this.#outer);
    this.#values.set(name, this.#valueOf(name, evaluation));
  }

  #evaluate(name: string, { program }: Compiled): CelValue {
    if (typeof program !== "string") return this.#valueOf(name, program.evaluate(this.#outer));
    return new CelError(`composited variable "${name}" fails to compile: ${program}`);
  }

  #valueOf(name: string, { value, cost }: ReturnType<Program["evaluate"]>): CelValue {
    const named = `composited variable "${name}"`;
    this.#budget.spend(cost);
    return value instanceof CelError
      ? new CelError(`${named} fails to evaluate: ${value.message}`)
      : value;
  }
}
