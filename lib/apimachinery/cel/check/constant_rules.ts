/**
 * Finds constant arguments with which a call in a CEL expression always fails: invalid regular
 * expressions, invalid arguments of type conversions, and keys of types that no key has.
 *
 * Mirrors `cel/validator.go, ValidateRegexLiterals` and `interpreter/decorators.go, decOptimize`.
 *
 * @module
 */
import { qualifierProblem } from "../evaluate/qualify.ts";
import type { Functions } from "../environment.ts";
import { compilePattern } from "../libraries/regular_expressions.ts";
import { type Call, children, type Expr, type ListExpr } from "../syntax/ast.ts";
import { CelError, type CelValue, ValueList } from "../values/value.ts";
import type { CheckedExpression } from "./checker.ts";

const PATTERN_FUNCTIONS = new Set(["matches", "find", "findAll"]);
const CONVERSIONS = new Set(
  "bool bytes double duration dyn int string timestamp type uint".split(" "),
);

/**
 * Returns the error message of the first constant argument in a CEL expression that is an invalid
 * regular expression, an invalid argument of a type conversion or an invalid key; `undefined` if
 * all are valid.
 */
export function constantProblem(
  checked: CheckedExpression,
  functions: Functions,
): string | undefined {
  const constants = new Map<number, CelValue>();
  const visited = new Set<Expr>();
  const visitAll = (expr: Expr): string | undefined => {
    if (visited.has(expr)) return undefined;
    visited.add(expr);
    for (const child of children(expr)) {
      const problem = visitAll(child);
      if (problem !== undefined) return problem;
    }
    return visit(expr, checked, functions, constants);
  };
  return visitAll(checked.expr);
}

function visit(
  expr: Expr,
  checked: CheckedExpression,
  functions: Functions,
  constants: Map<number, CelValue>,
): string | undefined {
  if (expr.kind === "literal") constants.set(expr.id, expr.value);
  if (expr.kind === "list" && expr.optional.size === 0) foldList(expr, constants);
  if (expr.kind !== "call") return undefined;
  if (expr.name === "_[_]" || expr.name === "_[?_]") {
    const key = constants.get(expr.args[1]!.id);
    return key === undefined ? undefined : qualifierProblem(key);
  }
  if (CONVERSIONS.has(expr.name) && !expr.target) {
    return foldConversion(expr, checked, functions, constants);
  }
  return PATTERN_FUNCTIONS.has(expr.name) ? patternProblem(expr, constants) : undefined;
}

function foldList({ id, elements }: ListExpr, constants: Map<number, CelValue>): void {
  const values = elements.map((each) => constants.get(each.id));
  const known = values.filter((each) => each !== undefined);
  if (known.length === values.length) constants.set(id, new ValueList(known));
}

function foldConversion(
  { id, name, args }: Call,
  { overloads }: CheckedExpression,
  { implementations }: Functions,
  constants: Map<number, CelValue>,
): string | undefined {
  const argument = args[0] && constants.get(args[0].id);
  const [overload, ...others] = overloads.get(id) ?? [];
  if (argument === undefined || overload === undefined || others.length > 0) return undefined;
  const value = (implementations[name] ?? implementations[overload])!(argument);
  if (value instanceof CelError) return value.message;
  constants.set(id, value);
  return undefined;
}

function patternProblem(
  { target, args }: Call,
  constants: ReadonlyMap<number, CelValue>,
): string | undefined {
  const argument = target ? args[0] : args[1];
  const pattern = argument && constants.get(argument.id);
  if (typeof pattern !== "string") return undefined;
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
