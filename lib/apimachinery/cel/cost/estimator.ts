// Mirrors `checker/cost.go, Cost`.
import type { CheckedExpression } from "../check/checker.ts";
import {
  ACCUMULATOR,
  type Call,
  type Comprehension,
  type Expr,
  type Select,
} from "../syntax/ast.ts";
import { type CelType, DYN, optionalValue } from "../types/cel_type.ts";
import { CelBytes, characters } from "../values/value.ts";
import { type CallEstimate, estimateCall, type Operand } from "./call_estimate.ts";
import { add, fixed, MAX_COST, multiply, type Range, union, UNKNOWN } from "./ranges.ts";

/**
 * A path from a variable of a CEL expression to a value: the names of the variable and of fields,
 * and `@items`, `@indices`, `@keys` or `@values` for the elements of a list or map.
 */
export type ValuePath = readonly string[];

/**
 * A function that returns the minimum and maximum size of the value at a path from a CEL variable;
 * `undefined` if they are unknown.
 */
export type SizeOf = (path: ValuePath) => Range | undefined;

/**
 * Returns the estimated minimum and maximum cost of a CEL expression, for variables of the sizes
 * that `sizeOf` returns.
 */
export function estimateCost(checked: CheckedExpression, sizeOf: SizeOf): Range {
  return new Estimator(checked, sizeOf).cost(checked.expr);
}

const ZERO = fixed(0);
const ONE = fixed(1);
const NO_SIZE: Range = { min: MAX_COST, max: 0 };

/**
 * The kind of a CEL list or map, and the estimated sizes of its keys or indexes and of its values.
 */
interface EntrySizes {
  readonly kind: "list" | "map";
  readonly key: Range;
  readonly value: Range;
}

interface OperatorEstimate extends CallEstimate {
  /**
   * The estimated cost of the CEL call including its operands; set for `&&`, `||` and `?:`, which
   * may not evaluate all of them.
   */
  readonly whole?: Range;
}

interface Local {
  readonly path: ValuePath | undefined;
  readonly size: Range | undefined;
  readonly entries: EntrySizes | undefined;
}

const SCALARS = new Set(["bool", "double", "duration", "int", "timestamp", "uint"]);

function isScalar(type: CelType): boolean {
  const held = optionalValue(type);
  return held ? isScalar(held) : SCALARS.has(type.kind);
}

class Estimator {
  readonly #checked: CheckedExpression;
  readonly #sizeOf: SizeOf;
  readonly #costs = new Map<number, Range>();
  readonly #paths = new Map<number, ValuePath | undefined>();
  readonly #sizes = new Map<number, Range>();
  readonly #entries = new Map<number, EntrySizes>();
  readonly #locals = new Map<string, Local[]>();

  constructor(checked: CheckedExpression, sizeOf: SizeOf) {
    this.#checked = checked;
    this.#sizeOf = sizeOf;
  }

  /**
   * Returns the estimated cost of a node of a CEL expression with the nodes below it. Estimates are
   * cached: a node at two positions of the tree is estimated once and counted twice.
   */
  cost(expr: Expr): Range {
    let cost = this.#costs.get(expr.id);
    if (!cost) this.#costs.set(expr.id, cost = this.#costOf(expr));
    return cost;
  }

  #costOf(expr: Expr): Range {
    switch (expr.kind) {
      case "literal":
        return ZERO;
      case "ident":
        return this.#ident(expr, expr.name);
      case "select":
        return this.#select(expr);
      case "call":
        return this.#call(expr);
      case "list":
        return this.#list(expr);
      case "map":
        return this.#map(expr);
      case "struct":
        return add(...expr.fields.map(({ value }) => this.cost(value)), fixed(40));
      case "comprehension":
        return expr.accumulator === ACCUMULATOR ? this.#loop(expr) : this.#bind(expr);
    }
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #push(name: string, local: Local): void {
    const stack = this.#locals.get(name) ?? [];
    stack.push(local);
    this.#locals.set(name, stack);
  }

  #pop(name: string): void {
    this.#locals.get(name)!.pop();
  }

  #ident(expr: Expr, name: string): Range {
    const local = this.#local(name);
    this.#paths.set(expr.id, local ? local.path : [name]);
    return ONE;
  }

  #typeOf(expr: Expr): CelType {
    return this.#checked.types.get(expr.id) ?? DYN;
  }

  #pathOf(expr: Expr): ValuePath {
    if (expr.kind === "ident") {
      const local = this.#local(expr.name);
      if (local) return local.path ?? [];
    }
    return this.#paths.get(expr.id) ?? [];
  }

  #select(expr: Select): Range {
    const name = this.#checked.names.get(expr.id);
    if (name !== undefined) return this.#ident(expr, name);
    const operand = this.cost(expr.operand);
    if (expr.testOnly) return operand;
    this.#paths.set(expr.id, [...this.#pathOf(expr.operand), expr.field]);
    const { kind } = this.#typeOf(expr.operand);
    return kind === "map" || kind === "struct" || kind === "param" ? add(operand, ONE) : operand;
  }

  #operand(expr: Expr): Operand {
    const known = this.#size(expr);
    const type = this.#typeOf(expr);
    const path = this.#pathOf(expr);
    const elementType = type.parameters[0];
    const elementPath = path.length > 0 && path[0] !== ACCUMULATOR ? [...path, "@items"] : [];
    return {
      type,
      size: known ?? UNKNOWN,
      isSizeKnown: known !== undefined,
      constant: expr.kind === "literal" && typeof expr.value === "bigint"
        ? Number(expr.value)
        : undefined,
      element: elementType && {
        type: elementType,
        size: (elementPath.length > 0 ? this.#sizeOf(elementPath) : undefined) ?? UNKNOWN,
      },
    };
  }

  #call(expr: Call): Range {
    const { args, name } = expr;
    const qualified = this.#checked.names.get(expr.id);
    const target = qualified === undefined ? expr.target : undefined;
    if (name === "dyn" && args[0]) return this.#dyn(expr, args[0]);
    const argCosts = args.map((arg) => this.cost(arg));
    const operands = args.map((arg) => this.#operand(arg));
    const overloads = this.#checked.overloads.get(expr.id) ?? [];
    if (overloads.length === 0) return ZERO;
    const targetCost = target ? this.cost(target) : ZERO;
    const targetOperand = target && this.#operand(target);
    let cost: Range | undefined;
    let size: Range | undefined;
    for (const overload of overloads) {
      const called: OperatorEstimate = this.#function(expr, overload, argCosts) ??
        estimateCall({
          name: qualified ?? name.replace(/^\./, ""),
          overload,
          target: targetOperand,
          args: operands,
        });
      const all = called.whole ?? add(called.cost, ...argCosts);
      cost = cost ? union(cost, all) : all;
      if (called.size) size = size ? union(size, called.size) : called.size;
      if (overload === "index_list" || overload === "index_map") {
        size = this.#entriesOf(args[0]!)?.value;
        const step = overload === "index_list" ? "@items" : "@values";
        this.#paths.set(expr.id, [...this.#pathOf(args[0]!), step]);
      }
      size ??= this.#size(expr);
    }
    if (size) this.#sizes.set(expr.id, size);
    return add(targetCost, cost!);
  }

  #dyn(expr: Call, arg: Expr): Range {
    const cost = this.cost(arg);
    this.#copySizes(expr, arg);
    return add(ONE, cost);
  }

  /**
   * Estimates the cost, and for `?:` and `+` the size of the result, of a call of the CEL operators
   * `&&`, `||`, `?:` and `+` (of texts, bytes and lists); `undefined` for every other call.
   */
  #function(
    { args, id }: Call,
    overload: string,
    costs: readonly Range[],
  ): OperatorEstimate | undefined {
    const [first, second, third] = costs;
    switch (overload) {
      case "logical_and":
      case "logical_or":
        return { cost: ZERO, whole: { min: first!.min, max: add(first!, second!).max } };
      case "conditional": {
        const size = union(this.#sizeOrUnknown(args[1]!), this.#sizeOrUnknown(args[2]!));
        this.#unite(id, args[1]!, args[2]!);
        return { cost: ZERO, size, whole: add(first!, union(second!, third!)) };
      }
      case "add_string":
      case "add_bytes":
      case "add_list": {
        const size = add(this.#sizeOrUnknown(args[0]!), this.#sizeOrUnknown(args[1]!));
        this.#unite(id, args[0]!, args[1]!);
        const cost = overload === "add_list" ? ONE : {
          min: Math.min(Math.ceil(size.min * 0.1), MAX_COST),
          max: Math.min(Math.ceil(size.max * 0.1), MAX_COST),
        };
        return { cost, size };
      }
    }
    return undefined;
  }

  #unite(id: number, a: Expr, b: Expr): void {
    const left = this.#entriesOf(a);
    const right = this.#entriesOf(b);
    if (!left || !right) return;
    this.#entries.set(id, {
      kind: left.kind,
      key: union(left.key, right.key),
      value: union(left.value, right.value),
    });
  }

  #list(expr: Extract<Expr, { kind: "list" }>): Range {
    const costs: Range[] = [];
    let value: Range = expr.elements.length === 0 ? ZERO : NO_SIZE;
    for (const element of expr.elements) {
      costs.push(this.cost(element));
      value = union(value, this.#sizeOrUnknown(element));
    }
    this.#entries.set(expr.id, { kind: "list", key: ONE, value });
    return add(...costs, fixed(10));
  }

  #map(expr: Extract<Expr, { kind: "map" }>): Range {
    const costs: Range[] = [];
    let key: Range = expr.entries.length === 0 ? ZERO : NO_SIZE;
    let value: Range = key;
    for (const entry of expr.entries) {
      costs.push(this.cost(entry.key), this.cost(entry.value));
      key = union(key, this.#sizeOrUnknown(entry.key));
      value = union(value, this.#sizeOrUnknown(entry.value));
    }
    this.#entries.set(expr.id, { kind: "map", key, value });
    return add(...costs, fixed(30));
  }

  #pushRange(name: string, range: Expr, part: "key" | "value" | "single"): void {
    const entries = this.#entriesOf(range);
    const isList = (entries?.kind ?? this.#typeOf(range).kind) === "list";
    const step = part === "key"
      ? isList ? "@indices" : "@keys"
      : part === "value"
      ? isList ? "@items" : "@values"
      : isList
      ? "@items"
      : "@keys";
    const size = part === "key" || (part === "single" && !isList) ? entries?.key : entries?.value;
    this.#push(name, { path: [...this.#pathOf(range), step], size, entries: undefined });
  }

  #loop(expr: Comprehension): Range {
    const rangeCost = this.cost(expr.range);
    const initCost = this.cost(expr.init);
    this.#push(expr.accumulator, this.#localOf(expr.init));
    if (expr.variable2 === undefined) this.#pushRange(expr.variable, expr.range, "single");
    else {
      this.#pushRange(expr.variable, expr.range, "key");
      this.#pushRange(expr.variable2, expr.range, "value");
    }
    const conditionCost = this.cost(expr.condition);
    const stepCost = this.cost(expr.step);
    this.#pop(expr.variable);
    if (expr.variable2 !== undefined) this.#pop(expr.variable2);
    const resultCost = this.cost(expr.result);
    this.#pop(expr.accumulator);
    const count = this.#sizeOrUnknown(expr.range);
    if (expr.init.kind === "literal") this.#setSize(expr, this.#size(expr.init));
    else if (expr.init.kind === "list" || expr.init.kind === "map") {
      this.#setSize(expr, count);
      const entries = this.#entriesOf(expr.step);
      if (entries) this.#entries.set(expr.id, entries);
    }
    const loopCost = multiply(count, add(stepCost, conditionCost));
    return add(rangeCost, initCost, resultCost, loopCost);
  }

  #bind(expr: Comprehension): Range {
    const rangeCost = this.cost(expr.range);
    const initCost = this.cost(expr.init);
    this.#push(expr.accumulator, this.#localOf(expr.init));
    const resultCost = this.cost(expr.result);
    this.#pop(expr.accumulator);
    this.#copySizes(expr, expr.result);
    return add(rangeCost, initCost, resultCost);
  }

  #localOf(expr: Expr): Local {
    const path = this.#pathOf(expr);
    return {
      path: path.length > 0 ? path : undefined,
      size: this.#size(expr),
      entries: this.#entriesOf(expr),
    };
  }

  #copySizes(to: Expr, from: Expr): void {
    this.#setSize(to, this.#size(from));
    const entries = this.#entriesOf(from);
    if (entries) this.#entries.set(to.id, entries);
  }

  #setSize(expr: Expr, size: Range | undefined): void {
    if (size) this.#sizes.set(expr.id, size);
  }

  #sizeOrUnknown(expr: Expr): Range {
    return this.#size(expr) ?? UNKNOWN;
  }

  #size(expr: Expr): Range | undefined {
    const known = this.#sizes.get(expr.id) ?? literalSize(expr);
    if (known) return known;
    const path = this.#pathOf(expr);
    const declared = path.length > 0 ? this.#sizeOf(path) : undefined;
    if (declared) {
      this.#sizes.set(expr.id, declared);
      return declared;
    }
    if (isScalar(this.#typeOf(expr))) return ONE;
    return expr.kind === "ident" ? this.#local(expr.name)?.size : undefined;
  }

  #entriesOf(expr: Expr): EntrySizes | undefined {
    return this.#entries.get(expr.id) ??
      (expr.kind === "ident" ? this.#local(expr.name)?.entries : undefined);
  }
}

function literalSize(expr: Expr): Range | undefined {
  switch (expr.kind) {
    case "literal":
      if (typeof expr.value === "string") return fixed(characters(expr.value));
      return fixed(expr.value instanceof CelBytes ? expr.value.bytes.length : 1);
    case "list":
      return fixed(expr.elements.length);
    case "map":
      return fixed(expr.entries.length);
    default:
      return undefined;
  }
}
