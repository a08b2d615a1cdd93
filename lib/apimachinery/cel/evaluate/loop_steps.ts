// Mirrors `interpreter/interpretable.go, evalFold`.
import {
  type Call,
  children,
  type Comprehension,
  type Expr,
  occurrences,
  type Select,
} from "../syntax/ast.ts";
import { CelError, CelList, CelMap, CelOptional, type CelValue } from "../values/value.ts";
import type { Scope } from "./scope.ts";

/**
 * The cost since the last yield, in cost units of CEL, after which an evaluation in steps yields to
 * other work; this cost takes some tenths of a millisecond.
 */
const STEP_COST = 2000;

/** An evaluator of CEL expressions that evaluates a node in one piece, without yielding. */
export interface PlainEvaluator {
  readonly cost: number;
  /**
   * The values of nodes of the CEL expression that were evaluated before. `evaluate` returns these
   * values and does not evaluate the nodes again.
   */
  readonly known: Map<Expr, CelValue>;
  evaluate(expr: Expr, scope: Scope): CelValue;
  spend(cost: number): void;
}

/**
 * The name of the CEL variable whose fields are expressions themselves: the variables of an
 * admission policy.
 */
const COMPOSITED = "variables";

/**
 * Returns the nodes of a CEL expression that have a loop or a policy variable at or below them;
 * none for most expressions. The cost of all other nodes is limited by the length of the
 * expression.
 */
export function loopyNodes(root: Expr): ReadonlySet<Expr> {
  const loopy = new Set<Expr>();
  const nodes = [...occurrences(root).keys()];
  // A node has a higher identifier than the nodes below it.
  for (const expr of nodes.sort((a, b) => a.id - b.id)) {
    const isLoopy = expr.kind === "comprehension" || isComposited(expr);
    if (isLoopy || children(expr).some((child) => loopy.has(child))) {
      loopy.add(expr);
    }
  }
  return loopy;
}

function isComposited(expr: Expr): expr is Select {
  return expr.kind === "select" && expr.operand.kind === "ident" &&
    expr.operand.name === COMPOSITED;
}

/**
 * An evaluator of CEL expressions with loops, which works in steps, between which other work may
 * run. Nodes without loops are evaluated in one piece.
 */
export class LoopSteps {
  readonly #plain: PlainEvaluator;
  readonly #loopy: ReadonlySet<Expr>;
  /**
   * The qualified names in the CEL expression, by the identifier of the node. A call of a function
   * with a qualified name, such as `lists.range`, has no receiver.
   */
  readonly #qualified: ReadonlyMap<number, string>;
  #stepEnds = STEP_COST;

  constructor(
    plain: PlainEvaluator,
    loopy: ReadonlySet<Expr>,
    qualified: ReadonlyMap<number, string>,
  ) {
    this.#plain = plain;
    this.#loopy = loopy;
    this.#qualified = qualified;
  }

  *evaluate(expr: Expr, scope: Scope): Generator<void, CelValue> {
    if (!this.#loopy.has(expr)) return this.#plain.evaluate(expr, scope);
    if (expr.kind === "comprehension") return yield* this.#comprehension(expr, scope);
    if (isComposited(expr)) {
      const map = scope.find(COMPOSITED);
      if (map instanceof CelMap) yield* map.evaluateKey?.(expr.field) ?? [];
      return this.#plain.evaluate(expr, scope);
    }
    if (expr.kind === "call") {
      if (expr.name === "_&&_") return yield* this.#logical(expr, scope, false);
      if (expr.name === "_||_") return yield* this.#logical(expr, scope, true);
      if (expr.name === "_?_:_") return yield* this.#conditional(expr, scope);
      const isOr = expr.name === "or" || expr.name === "orValue";
      if (isOr && expr.target && !this.#qualified.has(expr.id)) return yield* this.#or(expr, scope);
    }
    return yield* this.#strict(expr, scope);
  }

  /**
   * Evaluates, in steps, a node of a CEL expression that needs the values of all nodes below it.
   */
  *#strict(expr: Expr, scope: Scope): Generator<void, CelValue> {
    const { known } = this.#plain;
    const below = children(expr).filter((child) => this.#loopy.has(child));
    const values: (readonly [Expr, CelValue])[] = [];
    for (const child of below) values.push([child, yield* this.evaluate(child, scope)]);
    for (const [child, value] of values) known.set(child, value);
    try {
      return this.#plain.evaluate(expr, scope);
    } finally {
      for (const child of below) known.delete(child);
    }
  }

  /**
   * Evaluates `&&` or `||` of CEL in steps. An operand with the value `decisive`, `false` for `&&`
   * and `true` for `||`, decides the result, even if the other operand is an error.
   */
  *#logical(expr: Call, scope: Scope, decisive: boolean): Generator<void, CelValue> {
    let error: CelError | undefined;
    for (const arg of expr.args) {
      const value = yield* this.evaluate(arg, scope);
      if (value === decisive) return decisive;
      if (value instanceof CelError) error ??= value;
      else if (typeof value !== "boolean") error ??= new CelError("no such overload");
    }
    return error ?? !decisive;
  }

  *#conditional({ args }: Call, scope: Scope): Generator<void, CelValue> {
    const condition = yield* this.evaluate(args[0]!, scope);
    if (condition instanceof CelError) return condition;
    if (typeof condition !== "boolean") return new CelError("no such overload");
    return yield* this.evaluate(args[condition ? 1 : 2]!, scope);
  }

  *#or(expr: Call, scope: Scope): Generator<void, CelValue> {
    const optional = yield* this.evaluate(expr.target!, scope);
    if (optional instanceof CelError) return optional;
    this.#plain.spend(1);
    if (!(optional instanceof CelOptional)) return new CelError("no such overload");
    if (optional.value !== undefined) return expr.name === "or" ? optional : optional.value;
    return yield* this.evaluate(expr.args[0]!, scope);
  }

  *#comprehension(expr: Comprehension, outer: Scope): Generator<void, CelValue> {
    const range = yield* this.evaluate(expr.range, outer);
    if (range instanceof CelError) return range;
    if (!(range instanceof CelList) && !(range instanceof CelMap)) {
      return new CelError("no such overload");
    }
    const scope = outer.within();
    scope.set(expr.accumulator, yield* this.evaluate(expr.init, outer));
    for (const [first, second] of elements(range, expr.variable2 !== undefined)) {
      const loop = scope.within();
      loop.set(expr.variable, first);
      if (expr.variable2 !== undefined) loop.set(expr.variable2, second);
      if ((yield* this.evaluate(expr.condition, loop)) !== true) break;
      scope.set(expr.accumulator, yield* this.evaluate(expr.step, loop));
      if (this.#plain.cost < this.#stepEnds) continue;
      this.#stepEnds = this.#plain.cost + STEP_COST;
      yield;
    }
    return yield* this.evaluate(expr.result, scope);
  }
}

/**
 * Yields the values of the loop variables for each element of a CEL list or each key of a CEL map:
 * the element or the key, and `null`; with `pairs`, the index and the element, or the key and its
 * value.
 */
export function* elements(
  range: CelList | CelMap,
  pairs: boolean,
): Generator<readonly [CelValue, CelValue]> {
  if (range instanceof CelList) {
    let index = 0n;
    for (const element of range) yield pairs ? [index++, element] : [element, null];
    return;
  }
  for (const key of range.keys()) yield [key, pairs ? range.find(key) ?? null : null];
}
