// Mirrors `apis/admissionregistration/validation/validation.go, validateMatchConditions`.
import { BOOL, type CelType } from "@xca/apimachinery/internal/cel";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  internalFieldError,
  invalid,
  required,
  tooMany,
} from "@xca/apimachinery/internal/errors";
import { qualifiedNameProblems } from "@xca/apimachinery/internal/validation";
import type { ExpressionCode } from "../expression_code.ts";
import type { CompileProblem, ExpressionScope } from "../expressions.ts";
import type { MatchCondition } from "../webhooks/hook.ts";

/** The maximum number of match conditions of one webhook or policy. */
const MOST_CONDITIONS = 64;

/**
 * Checks that a CEL expression of a policy or webhook compiles, and that its result has one of the
 * given types; with no types, the result may have any type. Returns the field errors. The generator
 * yields once, before the compilation, which may take a millisecond.
 */
export function* validateExpression(
  code: ExpressionCode,
  expression: string,
  path: FieldPath,
  scope: ExpressionScope,
  types: readonly CelType[] = [],
): Generator<void, FieldError[]> {
  yield;
  const compiled = code.compileExpression(expression, scope, types);
  return "problem" in compiled ? [expressionError(expression, path, compiled)] : [];
}

/** Returns the field error of a CEL expression that does not compile. */
export function expressionError(
  expression: string,
  path: FieldPath,
  { problem, isInternal }: CompileProblem,
): FieldError {
  return isInternal ? internalFieldError(path, problem) : invalid(path, expression, problem);
}

/**
 * Validates the match conditions of a webhook or a policy, in steps between which other requests
 * may run. Returns the field errors.
 */
export function* validateConditions(
  code: ExpressionCode,
  conditions: readonly MatchCondition[] | undefined,
  path: FieldPath,
  hasParams: boolean,
): Generator<void, FieldError[]> {
  const errors: FieldError[] = [];
  const all = conditions ?? [];
  if (all.length > MOST_CONDITIONS) {
    errors.push(tooMany(path, all.length, MOST_CONDITIONS));
  }
  const names = new Set<string>();
  for (const [index, { name = "", expression = "" }] of all.entries()) {
    const at = path.index(index);
    const text = expression.trim();
    if (text === "") errors.push(required(at.child("expression")));
    else {
      const scope = { hasParams, hasAuthorizer: true };
      errors.push(...yield* validateExpression(code, text, at.child("expression"), scope, [BOOL]));
    }
    if (name === "") {
      errors.push(required(at.child("name")));
      continue;
    }
    for (const problem of qualifiedNameProblems(name)) {
      errors.push(invalid(at.child("name"), name, problem));
    }
    if (names.has(name)) errors.push(duplicate(at.child("name"), name));
    names.add(name);
  }
  return errors;
}
