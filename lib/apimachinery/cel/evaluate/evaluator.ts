// Mirrors `interpreter/interpretable.go, Interpretable`.
import type { CheckedExpression } from "../check/checker.ts";
import type { Overload } from "../declarations.ts";
import { type Functions, TYPE_NAMES } from "../environment.ts";
import { COST_EXCEEDED } from "../libraries/lists.ts";
import {
  ACCUMULATOR,
  type Call,
  type Comprehension,
  type Expr,
  type Select,
} from "../syntax/ast.ts";
import { type CelType, isDyn } from "../types/cel_type.ts";
import {
  BYTE_KEY,
  CelBytes,
  CelError,
  CelList,
  CelMap,
  CelOptional,
  CelStruct,
  CelTypeValue,
  type CelValue,
  typeOf,
  ValueList,
  ValueMap,
} from "../values/value.ts";
import { callCost } from "./call_cost.ts";
import { elements, LoopSteps, type PlainEvaluator } from "./loop_steps.ts";
import { qualifierProblem, qualify, qualifyIfPresent, showValue } from "./qualify.ts";
import { Scope, type Variables } from "./scope.ts";

/**
 * The result of evaluating a CEL expression: a value, which may be a `CelError`, and the cost until
 * the end or the failure, in cost units of CEL.
 */
export interface Evaluation {
  readonly value: CelValue;
  readonly cost: number;
}

class CostExceeded extends Error {
  override readonly name = "CostExceeded";
}

/**
 * Evaluates a checked CEL expression and returns its value and cost. The value is a `CelError` if
 * the evaluation fails, costs more than `limit` cost units, or exhausts the stack.
 */
export function evaluate(
  checked: CheckedExpression,
  functions: Functions,
  variables: Variables,
  limit: number,
): Evaluation {
  const evaluator = new Evaluator(checked, functions, limit);
  try {
    const value = evaluator.evaluate(checked.expr, new Scope(variables));
    return { value, cost: evaluator.cost };
  } catch (error) {
    return { value: failureOf(error), cost: evaluator.cost };
  }
}

/**
 * Evaluates a checked CEL expression in steps, between which other work may run. The result is that
 * of {@linkcode evaluate}. `loopy` is the result of `loopyNodes` for the expression.
 */
export function* evaluateInSteps(
  checked: CheckedExpression,
  functions: Functions,
  variables: Variables,
  limit: number,
  loopy: ReadonlySet<Expr>,
): Generator<void, Evaluation> {
  const evaluator = new Evaluator(checked, functions, limit);
  const steps = new LoopSteps(evaluator, loopy, checked.names);
  try {
    const value = yield* steps.evaluate(checked.expr, new Scope(variables));
    return { value, cost: evaluator.cost };
  } catch (error) {
    return { value: failureOf(error), cost: evaluator.cost };
  }
}

function failureOf(error: unknown): CelError {
  if (error instanceof CostExceeded) return new CelError(COST_EXCEEDED);
  if (error instanceof RangeError) return new CelError(`internal error: ${error.message}`);
  throw error;
}

/**
 * Reports whether a CEL value matches an argument type in the signature of a CEL function. The type
 * `dyn` and type parameters match every value; of a list or map only the first element is compared.
 */
function takes(type: CelType, value: CelValue): boolean {
  if (isDyn(type) || type.kind === "param") return true;
  const actual = typeOf(value);
  if (type.kind !== actual.kind || type.name !== actual.name) return false;
  if (value instanceof CelList) return value.size === 0 || takes(type.parameters[0]!, value.get(0));
  if (value instanceof CelMap) {
    for (const key of value.keys()) {
      return takes(type.parameters[0]!, key) &&
        takes(type.parameters[1]!, value.find(key) ?? null);
    }
  }
  return true;
}

class Evaluator implements PlainEvaluator {
  cost = 0;
  readonly known: Map<Expr, CelValue> = new Map();
  readonly #checked: CheckedExpression;
  readonly #functions: Functions;
  readonly #limit: number;

  constructor(checked: CheckedExpression, functions: Functions, limit: number) {
    this.#checked = checked;
    this.#functions = functions;
    this.#limit = limit;
  }

  evaluate(expr: Expr, scope: Scope): CelValue {
    const known = this.known.size > 0 ? this.known.get(expr) : undefined;
    if (known !== undefined) return known;
    switch (expr.kind) {
      case "literal":
        return expr.value;
      case "ident":
        return this.#variable(expr.name, scope);
      case "select":
        return this.#select(expr, scope);
      case "call":
        return this.#call(expr, scope);
      case "list":
        return this.#list(expr, scope);
      case "map":
        return this.#map(expr, scope);
      case "struct":
        return this.#struct(expr, scope);
      case "comprehension":
        return this.#comprehension(expr, scope);
    }
  }

  spend(cost: number): void {
    this.cost += cost;
    if (this.cost > this.#limit) throw new CostExceeded();
  }

  #variable(name: string, scope: Scope): CelValue {
    this.spend(1);
    const bare = name.startsWith(".") ? name.slice(1) : name;
    const value = scope.find(bare);
    if (value !== undefined) return value;
    const type = TYPE_NAMES.get(bare);
    return type ? new CelTypeValue(type) : new CelError(`no such attribute(s): ${bare}`);
  }

  #select(expr: Select, scope: Scope): CelValue {
    const name = this.#checked.names.get(expr.id);
    if (name !== undefined) return this.#variable(name, scope);
    const operand = this.evaluate(expr.operand, scope);
    if (operand instanceof CelError) return operand;
    if (!expr.testOnly) {
      this.#spendSelection(expr.operand);
      return qualify(operand, expr.field);
    }
    const present = qualifyIfPresent(operand, expr.field);
    return present instanceof CelError ? present : present !== undefined;
  }

  /**
   * Adds the cost of selecting a field or an index in CEL: 1 if the operand is a variable, a
   * selection, an index or a conditional, and 2 otherwise.
   */
  #spendSelection(operand: Expr): void {
    const isPath = operand.kind === "ident" || operand.kind === "select" ||
      (operand.kind === "call" && ["_[_]", "_[?_]", "_?._", "_?_:_"].includes(operand.name));
    this.spend(isPath ? 1 : 2);
  }

  #call(expr: Call, scope: Scope): CelValue {
    switch (expr.name) {
      case "_&&_":
        return this.#logical(expr, scope, false);
      case "_||_":
        return this.#logical(expr, scope, true);
      case "_?_:_":
        return this.#conditional(expr, scope);
      case "_[_]":
        return this.#index(expr, scope);
      case "_?._":
      case "_[?_]":
        return this.#optionalIndex(expr, scope);
      case "@not_strictly_false": {
        const value = this.evaluate(expr.args[0]!, scope);
        this.spend(1);
        return value !== false;
      }
      case "or":
      case "orValue":
        if (expr.target && !this.#checked.names.has(expr.id)) return this.#or(expr, scope);
    }
    return this.#function(expr, scope);
  }

  /**
   * Evaluates `&&` or `||` of CEL. An operand with the value `decisive`, `false` for `&&` and
   * `true` for `||`, decides the result, even if the other operand is an error.
   */
  #logical(expr: Call, scope: Scope, decisive: boolean): CelValue {
    let error: CelError | undefined;
    for (const arg of expr.args) {
      const value = this.evaluate(arg, scope);
      if (value === decisive) return decisive;
      if (value instanceof CelError) error ??= value;
      else if (typeof value !== "boolean") error ??= new CelError("no such overload");
    }
    return error ?? !decisive;
  }

  #conditional(expr: Call, scope: Scope): CelValue {
    const condition = this.evaluate(expr.args[0]!, scope);
    if (condition instanceof CelError) return condition;
    if (typeof condition !== "boolean") return new CelError("no such overload");
    return this.evaluate(expr.args[condition ? 1 : 2]!, scope);
  }

  #index(expr: Call, scope: Scope): CelValue {
    const operand = this.evaluate(expr.args[0]!, scope);
    if (operand instanceof CelError) return operand;
    const index = this.#key(expr, scope);
    if (index instanceof CelError) return index;
    this.#spendSelection(expr.args[0]!);
    return qualify(operand, index);
  }

  #optionalIndex(expr: Call, scope: Scope): CelValue {
    const operand = this.evaluate(expr.args[0]!, scope);
    if (operand instanceof CelError) return operand;
    const index = this.#key(expr, scope);
    if (index instanceof CelError) return index;
    this.#spendSelection(expr.args[0]!);
    const found = qualifyIfPresent(operand, index);
    if (found instanceof CelError) return found;
    return found === undefined ? CelOptional.none : new CelOptional(found);
  }

  /**
   * Returns the value of the key of an index expression; a `CelError` if the evaluation fails, or
   * for a value of a type that no key has.
   */
  #key(expr: Call, scope: Scope): CelValue {
    const key = this.evaluate(expr.args[1]!, scope);
    if (key instanceof CelError) return key;
    const problem = qualifierProblem(key);
    return problem === undefined ? key : new CelError(problem);
  }

  #or(expr: Call, scope: Scope): CelValue {
    const optional = this.evaluate(expr.target!, scope);
    if (optional instanceof CelError) return optional;
    this.spend(1);
    if (!(optional instanceof CelOptional)) return new CelError("no such overload");
    if (optional.value !== undefined) return expr.name === "or" ? optional : optional.value;
    return this.evaluate(expr.args[0]!, scope);
  }

  #function(expr: Call, scope: Scope): CelValue {
    const qualified = this.#checked.names.get(expr.id);
    const name = qualified ?? expr.name.replace(/^\./, "");
    const all = expr.target && qualified === undefined ? [expr.target, ...expr.args] : expr.args;
    const args = all.map((arg) => this.evaluate(arg, scope));
    const error = args.find((arg) => arg instanceof CelError);
    const value = error ?? this.#append(name, expr, args) ??
      this.#dispatch(name, this.#checked.overloads.get(expr.id) ?? [], args);
    this.spend(callCost(name, args, value));
    return value;
  }

  /**
   * Evaluates `+` on the list that a CEL macro builds: appends the elements in place, so that the
   * loop takes linear time, and returns the list. Returns `undefined` for every other call.
   */
  #append(name: string, expr: Call, [list, more]: readonly CelValue[]): CelValue | undefined {
    const [first] = expr.args;
    if (name !== "_+_" || first?.kind !== "ident" || first.name !== ACCUMULATOR) return undefined;
    if (!(list instanceof ValueList) || !(more instanceof CelList)) return undefined;
    list.values.push(...more);
    return list;
  }

  #dispatch(name: string, overloads: readonly string[], args: CelValue[]): CelValue {
    const { implementations, declarations } = this.#functions;
    const common = implementations[name];
    if (common) return common(...args);
    const candidates: readonly Overload[] = overloads.length === 1
      ? [this.#functions.overloads.get(overloads[0]!)!]
      : declarations.get(name)?.overloads ?? [];
    for (const overload of candidates) {
      if (
        overload.args.length === args.length &&
        overload.args.every((type, index) => takes(type, args[index]!))
      ) return implementations[overload.id]!(...args);
    }
    const types = args.map((arg) => typeOf(arg).name).join(", ");
    return new CelError(`no such overload: ${name}(${types})`);
  }

  #list(expr: Extract<Expr, { kind: "list" }>, scope: Scope): CelValue {
    const values: CelValue[] = [];
    for (const [index, element] of expr.elements.entries()) {
      const value = this.evaluate(element, scope);
      if (value instanceof CelError) return value;
      if (!expr.optional.has(index)) values.push(value);
      else if (!(value instanceof CelOptional)) {
        return new CelError(
          `cannot initialize optional list element from non-optional value ${showValue(value)}`,
        );
      } else if (value.value !== undefined) values.push(value.value);
    }
    this.spend(10);
    return new ValueList(values);
  }

  #map(expr: Extract<Expr, { kind: "map" }>, scope: Scope): CelValue {
    const map = new ValueMap();
    for (const entry of expr.entries) {
      const key = this.evaluate(entry.key, scope);
      if (key instanceof CelError) return key;
      if (key instanceof CelBytes) return new CelError(BYTE_KEY);
      const value = this.evaluate(entry.value, scope);
      if (value instanceof CelError) return value;
      const problem = setEntry(map, key, value, entry.optional);
      if (problem) return problem;
    }
    this.spend(30);
    return map;
  }

  #struct(expr: Extract<Expr, { kind: "struct" }>, scope: Scope): CelValue {
    const map = new CelStruct(expr.typeName.replace(/^\./, ""));
    for (const field of expr.fields) {
      const value = this.evaluate(field.value, scope);
      if (value instanceof CelError) return value;
      const problem = setEntry(map, field.name, value, field.optional);
      if (problem) return problem;
    }
    this.spend(40);
    return map;
  }

  #comprehension(expr: Comprehension, outer: Scope): CelValue {
    const range = this.evaluate(expr.range, outer);
    if (range instanceof CelError) return range;
    if (!(range instanceof CelList) && !(range instanceof CelMap)) {
      return new CelError("no such overload");
    }
    const scope = outer.within();
    scope.set(expr.accumulator, this.evaluate(expr.init, outer));
    for (const [first, second] of elements(range, expr.variable2 !== undefined)) {
      const loop = scope.within();
      loop.set(expr.variable, first);
      if (expr.variable2 !== undefined) loop.set(expr.variable2, second);
      if (this.evaluate(expr.condition, loop) !== true) break;
      scope.set(expr.accumulator, this.evaluate(expr.step, loop));
    }
    return this.evaluate(expr.result, scope);
  }
}

function setEntry(
  map: ValueMap,
  key: CelValue,
  value: CelValue,
  optional: boolean,
): CelError | undefined {
  if (!optional) map.set(key, value);
  else if (!(value instanceof CelOptional)) {
    return new CelError(
      `cannot initialize optional entry '${showValue(key)}' from non-optional value ` +
        showValue(value),
    );
  } else if (value.value !== undefined) map.set(key, value.value);
  return undefined;
}
