/**
 * The types of the syntax tree of a CEL expression, in which a node may occur at several positions.
 * Every node has a number (`id`), by which the checker and the cost estimate refer to it, and an
 * offset for error messages.
 *
 * Mirrors `common/ast/expr.go, Expr`.
 *
 * @module
 */
import type { CelValue } from "../values/value.ts";

interface Node {
  readonly id: number;
  /**
   * The zero-based position of the syntax node in the CEL expression, in code points; -1 for no
   * position.
   */
  readonly offset: number;
}

/** A CEL syntax node of a constant, such as `1` or `"a"`. */
export interface Literal extends Node {
  readonly kind: "literal";
  readonly value: CelValue;
}

/** A CEL syntax node of a simple name, such as a variable. */
export interface Ident extends Node {
  readonly kind: "ident";
  readonly name: string;
}

/** A CEL syntax node of `operand.field`, or with `testOnly` of `has(operand.field)`. */
export interface Select extends Node {
  readonly kind: "select";
  readonly operand: Expr;
  readonly field: string;
  readonly testOnly: boolean;
}

/** A CEL syntax node of a call of a function, an operator (`_+_`) or a method. */
export interface Call extends Node {
  readonly kind: "call";
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

/** A CEL syntax node of a list, such as `[a, ?b]`. */
export interface ListExpr extends Node {
  readonly kind: "list";
  readonly elements: readonly Expr[];
  /**
   * The indexes of the optional elements (`?b`) of a CEL list expression, which are omitted when
   * they have no value.
   */
  readonly optional: ReadonlySet<number>;
}

/** A CEL syntax node of a map, such as `{a: b, ?c: d}`. */
export interface MapExpr extends Node {
  readonly kind: "map";
  readonly entries: readonly MapEntry[];
}

/** An entry of a CEL map expression ({@linkcode MapExpr}). */
export interface MapEntry extends Node {
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

/** A CEL syntax node of a struct, such as `Type{field: value}`. */
export interface StructExpr extends Node {
  readonly kind: "struct";
  readonly typeName: string;
  readonly fields: readonly StructField[];
}

/** A field of a CEL struct expression ({@linkcode StructExpr}). */
export interface StructField extends Node {
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}

/** A CEL syntax node of the loop that macros such as `all` and `map` expand to. */
export interface Comprehension extends Node {
  readonly kind: "comprehension";
  readonly range: Expr;
  readonly variable: string;
  /**
   * The name of the second variable of a CEL loop over pairs, which is set to the value while
   * `variable` is set to the key or index.
   */
  readonly variable2: string | undefined;
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** Any syntax node of a CEL expression. */
export type Expr =
  | Literal
  | Ident
  | Select
  | Call
  | ListExpr
  | MapExpr
  | StructExpr
  | Comprehension;

/**
 * The name of the variable in which the loops of CEL macros accumulate their result. Expressions
 * cannot contain this name.
 */
export const ACCUMULATOR = "@result";

/** Returns the direct children of a CEL syntax node, in traversal order. */
export function children(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "literal":
    case "ident":
      return [];
    case "select":
      return [expr.operand];
    case "call":
      return expr.target ? [expr.target, ...expr.args] : expr.args;
    case "list":
      return expr.elements;
    case "map":
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case "struct":
      return expr.fields.map(({ value }) => value);
    case "comprehension":
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
  }
}

/**
 * Returns the distinct nodes of a CEL expression in traversal order, each with the number of its
 * positions in the tree: more than one if a macro placed the node several times.
 */
export function occurrences(root: Expr): ReadonlyMap<Expr, number> {
  const counts = new Map<Expr, number>();
  const collect = (expr: Expr): void => {
    if (counts.has(expr)) return;
    counts.set(expr, 0);
    children(expr).forEach(collect);
  };
  collect(root);
  counts.set(root, 1);
  // A node has a higher number than the nodes below it.
  for (const expr of [...counts.keys()].sort((a, b) => b.id - a.id)) {
    const times = counts.get(expr)!;
    for (const child of children(expr)) counts.set(child, counts.get(child)! + times);
  }
  return counts;
}

/**
 * Returns the text `a.b.c` of a CEL expression that is a name or a chain of selections from a name;
 * `undefined` for every other expression.
 */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === "ident") return expr.name;
  if (expr.kind !== "select" || expr.testOnly) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}
