/**
 * Finds constant arguments with which a call in a CEL expression always fails: invalid regular
 * expressions, and invalid arguments of type conversions.
 *
 * Mirrors `cel/validator.go, ValidateRegexLiterals`.
 *
 * @module
 */
import type { Functions } from "../environment.ts";
import { compilePattern } from "../libraries/regular_expressions.ts";
import { type Call, children, type Expr } from "../syntax/ast.ts";
import { CelError, type CelValue } from "../values/value.ts";
import type { CheckedExpression } from "./checker.ts";

const PATTERN_FUNCTIONS = new Set(["matches", "find", "findAll"]);
const CONVERSIONS = new Set(
  "bool bytes double duration dyn int string timestamp type uint".split(" "),
);

/**
 * Returns the error message of the first constant argument in a CEL expression that is an invalid
 * regular expression or an invalid argument of a type conversion; `undefined` if all are valid.
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
  if (expr.kind !== "call") return undefined;
  if (CONVERSIONS.has(expr.name) && !expr.target) {
    return foldConversion(expr, checked, functions, constants);
  }
  return PATTERN_FUNCTIONS.has(expr.name) ? patternProblem(expr, constants) : undefined;
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
