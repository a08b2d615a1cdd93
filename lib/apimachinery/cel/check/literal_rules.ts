/**
 * Rejects well-typed CEL expressions because of their literals: arguments that fail at evaluation,
 * lists and maps of mixed types, keys of maps that are bytes, and formats that do not fit their
 * arguments.
 *
 * Mirrors `cel/validator.go, ValidateHomogeneousAggregateLiterals`.
 *
 * @module
 */
import { compilePattern } from "../libraries/regular_expressions.ts";
import { type Clause, CLAUSE_REFUSALS, FormatError, readFormat } from "../libraries/text_format.ts";
import {
  type Call,
  children,
  type Expr,
  type ListExpr,
  type MapExpr,
  occurrences,
} from "../syntax/ast.ts";
import type { SourceErrors } from "../syntax/source_errors.ts";
import { type CelType, equivalentType, optionalValue, type TypeKind } from "../types/cel_type.ts";
import { isTimestampInRange, parseDuration, parseTimestamp } from "../values/go_time.ts";
import { BYTE_KEY, type CelValue } from "../values/value.ts";
import type { CheckedExpression } from "./checker.ts";

/**
 * Checks the literals of a CEL expression that has no type errors: first arguments of `duration`,
 * `timestamp` and `matches`, lists and maps of mixed types, keys of maps that are bytes, and calls
 * of `format`. Adds the errors to `errors`.
 */
export function checkLiterals(checked: CheckedExpression, errors: SourceErrors): void {
  const all = occurrences(checked.expr);
  const mixed = withinFormat(all.keys());
  const each = (check: (expr: Expr) => void): void => {
    for (const [expr, times] of all) {
      const found = errors.during(() => check(expr));
      if (found) errors.repeat(found, times - 1);
    }
  };
  each((expr) => expr.kind === "call" && checkArgument(expr, errors));
  each((expr) => {
    if (expr.kind === "list" && !mixed.has(expr)) checkList(expr, checked.types, errors);
  });
  each((expr) => expr.kind === "map" && !mixed.has(expr) && checkMap(expr, checked.types, errors));
  each((expr) => expr.kind === "map" && refuseByteKeys(expr, checked.types, errors));
  each((expr) => expr.kind === "call" && checkFormat(expr, checked, errors));
}

/**
 * Returns the nodes of a CEL expression within calls of `format`, whose list may have elements of
 * mixed types.
 */
function withinFormat(all: Iterable<Expr>): ReadonlySet<Expr> {
  const within = new Set<Expr>();
  for (const expr of all) {
    if (!within.has(expr) && !(expr.kind === "call" && expr.name === "format")) continue;
    for (const child of children(expr)) within.add(child);
  }
  return within;
}

const READABLE: Readonly<Record<string, (value: CelValue) => boolean>> = {
  duration: (value) => typeof value === "string" && parseDuration(value) !== undefined,
  timestamp: (value) => {
    const nanoseconds = typeof value === "string"
      ? parseTimestamp(value)
      : typeof value === "bigint"
      ? value * 1_000_000_000n
      : 0n;
    return nanoseconds !== undefined && isTimestampInRange(nanoseconds);
  },
  matches: (value) => {
    try {
      compilePattern(value as string);
      return true;
    } catch {
      return false;
    }
  },
};

function checkArgument({ name, args }: Call, errors: SourceErrors): void {
  const isReadable = Object.hasOwn(READABLE, name) ? READABLE[name] : undefined;
  const [arg] = args;
  if (isReadable && arg?.kind === "literal" && !isReadable(arg.value)) {
    errors.add(arg.offset, `invalid ${name} argument`);
  }
}

function mismatch(errors: SourceErrors, expr: Expr, expected: CelType, actual: CelType): void {
  errors.add(expr.offset, `expected type '${expected}' but found '${actual}'`);
}

function checkList(
  { elements, optional }: ListExpr,
  types: CheckedExpression["types"],
  errors: SourceErrors,
): void {
  let first: CelType | undefined;
  for (const [index, element] of elements.entries()) {
    const type = types.get(element.id)!;
    const plain = optional.has(index) ? optionalValue(type) ?? type : type;
    if (!first) first = plain;
    else if (!equivalentType(first, plain)) {
      mismatch(errors, element, first, plain);
      return;
    }
  }
}

function checkMap(
  { entries }: MapExpr,
  types: CheckedExpression["types"],
  errors: SourceErrors,
): void {
  let first: readonly [CelType, CelType] | undefined;
  for (const { key, value, optional } of entries) {
    const keyType = types.get(key.id)!;
    const type = types.get(value.id)!;
    const valueType = optional ? optionalValue(type) ?? type : type;
    if (!first) {
      first = [keyType, valueType];
      continue;
    }
    if (!equivalentType(first[0], keyType)) mismatch(errors, key, first[0], keyType);
    if (!equivalentType(first[1], valueType)) mismatch(errors, value, first[1], valueType);
  }
}

/**
 * Adds an error for each key of a map literal that is bytes: kube-apiserver panics with such a key,
 * since Go has no maps with such keys.
 */
function refuseByteKeys(
  { entries }: MapExpr,
  types: CheckedExpression["types"],
  errors: SourceErrors,
): void {
  for (const { key } of entries) {
    if (types.get(key.id)!.kind === "bytes") errors.add(key.offset, BYTE_KEY);
  }
}

/**
 * The kinds of CEL types that a `%` clause of CEL's `format` accepts, by the verb of the clause. A
 * value of type `dyn` is accepted by every clause.
 */
const CLAUSE_KINDS: Readonly<Record<Clause["verb"], readonly TypeKind[]>> = {
  s: [
    "list",
    "map",
    "int",
    "uint",
    "double",
    "bool",
    "string",
    "timestamp",
    "bytes",
    "duration",
    "type",
    "null",
  ],
  d: ["int", "uint"],
  f: ["double", "string"],
  e: ["double", "string"],
  b: ["int", "uint", "bool"],
  x: ["int", "uint", "string", "bytes"],
  X: ["int", "uint", "string", "bytes"],
  o: ["int", "uint"],
};

/**
 * An error about a `%` clause of CEL's `format` that does not accept the type of its argument, or
 * of an element of its argument.
 */
class ClauseMismatch extends FormatError {
  constructor(readonly expr: Expr, message: string) {
    super(message);
  }
}

function checkFormat(call: Call, checked: CheckedExpression, errors: SourceErrors): void {
  const { target, args: [list] } = call;
  if (call.name !== "format" || target?.kind !== "literal" || list?.kind !== "list") return;
  if (typeof target.value !== "string") return;
  let requested = 0;
  try {
    readFormat(target.value, list.elements.length, ({ verb }, index) => {
      requested = index + 1;
      fits(list.elements[index]!, verb, checked.types);
      return "";
    });
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const { cause } = error;
    const offset = cause instanceof ClauseMismatch ? cause.expr.offset : call.offset;
    errors.add(offset, error.message);
    return;
  }
  if (list.elements.length > requested) {
    errors.add(
      call.offset,
      `too many arguments supplied to string.format (expected ${requested}, got ${list.elements.length})`,
    );
  }
}

function fits(expr: Expr, verb: Clause["verb"], types: CheckedExpression["types"]): void {
  const type = types.get(expr.id)!;
  if (type.kind !== "dyn" && !CLAUSE_KINDS[verb].includes(type.kind)) {
    throw new ClauseMismatch(expr, CLAUSE_REFUSALS[verb]! + type.name);
  }
  if (verb !== "s") return;
  if (expr.kind === "list" || expr.kind === "map") {
    for (const child of children(expr)) fits(child, verb, types);
  }
}
