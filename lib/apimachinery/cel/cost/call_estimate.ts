// Mirrors `cel/library/cost.go, CostEstimator.EstimateCallCost`.
import type { CelType } from "../types/cel_type.ts";
import { add, fixed, multiply, type Range, scale, UNKNOWN } from "./ranges.ts";

/** An operand of a CEL call with its type, its estimated size and its constant value. */
export interface Operand {
  readonly type: CelType;
  readonly size: Range;
  /**
   * Reports whether the size of the CEL call's operand is known from the expression or the schema;
   * if not, `size` ranges from 0 to 2^64.
   */
  readonly isSizeKnown: boolean;
  /**
   * The value of the CEL call's operand if the operand is a literal of type int; otherwise
   * `undefined`.
   */
  readonly constant: number | undefined;
  /**
   * The type and estimated size of the elements of a CEL call's operand that is a list; `undefined`
   * for an operand whose type has no type parameter.
   */
  readonly element: { readonly type: CelType; readonly size: Range } | undefined;
}

/**
 * The estimated cost of a CEL call, without the cost of its operands, and the estimated size of its
 * result. `size` is absent if the function and overload do not determine it; the result's declared
 * size then applies.
 */
export interface CallEstimate {
  readonly cost: Range;
  readonly size?: Range;
}

/** A CEL call whose cost is estimated: its overload, its receiver and its arguments. */
export interface EstimatedCall {
  readonly name: string;
  readonly overload: string;
  readonly target: Operand | undefined;
  readonly args: readonly Operand[];
}

const PER_CHARACTER = 0.1;
const PER_PATTERN_CHARACTER = 0.25;
const LIST_COST = 10;
const REQUIREMENT_COST = 50;
const LONGEST_PATTERN = 128;

const ONE = fixed(1);

type Estimate = (call: EstimatedCall) => CallEstimate | undefined;

const nominal: Estimate = () => ({ cost: ONE });

function traverse(size: Range, factor = 1): Range {
  return scale(size, factor * PER_CHARACTER);
}

function selector({ args }: EstimatedCall): CallEstimate | undefined {
  const [text] = args;
  if (!text) return undefined;
  const requirements = scale(scale(text.size, 0.5), REQUIREMENT_COST);
  return { cost: add(fixed(LIST_COST), traverse(text.size), requirements) };
}

function walk({ target }: EstimatedCall): CallEstimate | undefined {
  if (!target) return undefined;
  if (!target.element) return { cost: traverse(target.size) };
  const { type, size } = target.element;
  const perElement = type.kind === "string" || type.kind === "bytes"
    ? add(ONE, traverse(size))
    : ONE;
  return { cost: multiply(target.size, perElement) };
}

function argument({ args: [text] }: EstimatedCall): CallEstimate | undefined {
  return text && { cost: traverse(text.size) };
}

function sameSize({ target }: EstimatedCall): CallEstimate | undefined {
  return target && { cost: traverse(target.size), size: target.size };
}

function replace({ target, args: [old, by] }: EstimatedCall): CallEstimate | undefined {
  if (!target || !old || !by) return undefined;
  const size = target.size;
  let [most, keptMost] = [Math.ceil(size.max / old.size.min), 0];
  if (old.size.min === 0) [most, keptMost] = [size.max + 1, size.max];
  else if (by.size.max <= old.size.min) [most, keptMost] = [0, size.max];
  let [least, keptLeast] = [Math.ceil(size.min / old.size.max), 0];
  if (old.size.max === 0) [least, keptLeast] = [size.min + 1, size.min];
  else if (old.size.max <= by.size.min) [least, keptLeast] = [0, size.min];
  const result = add(multiply({ min: least, max: most }, by.size), {
    min: keptLeast,
    max: keptMost,
  });
  return { cost: traverse(size, 2), size: result };
}

function split({ target, args: [, limit] }: EstimatedCall): CallEstimate | undefined {
  if (!target) return undefined;
  const max = limit?.constant === undefined ? target.size.max : natural(limit) ?? UNKNOWN.max;
  return { cost: traverse(target.size, 2), size: { min: 0, max } };
}

function join({ target, args: [separator] }: EstimatedCall): CallEstimate | undefined {
  if (!target) return undefined;
  let size: Range = target.element ? multiply(target.size, target.element.size) : fixed(0);
  if (separator) {
    const { min, max } = target.size;
    const separators = { min: Math.max(0, min - 1), max: Math.max(0, max - 1) };
    size = add(size, multiply(separator.size, separators));
  }
  return { cost: traverse(size), size };
}

function match(text: Operand, pattern: Operand): Range {
  return multiply(traverse(add(text.size, ONE)), scale(pattern.size, PER_PATTERN_CHARACTER));
}

function find({ target, args: [pattern] }: EstimatedCall): CallEstimate | undefined {
  if (!target || !pattern) return undefined;
  return { cost: match(target, pattern), size: { min: 0, max: target.size.max } };
}

const ADDRESS_SIZE: Range = { min: 4, max: 16 };

function containsIp({ overload, args: [ip] }: EstimatedCall): CallEstimate {
  const compared = traverse(add(ADDRESS_SIZE, ADDRESS_SIZE));
  if (overload !== "cidr_contains_ip_string") return { cost: compared };
  return { cost: add(compared, traverse(ip!.size)) };
}

function containsCidr({ overload, args: [range] }: EstimatedCall): CallEstimate {
  const compared = add(
    traverse(add(ADDRESS_SIZE, ADDRESS_SIZE)),
    traverse(ADDRESS_SIZE),
    ONE,
  );
  if (overload !== "cidr_contains_cidr_string") return { cost: compared };
  return { cost: add(compared, traverse(range!.size)) };
}

function allocation(factor: number, size: Range): CallEstimate {
  return { cost: add(scale(size, factor), ONE, fixed(LIST_COST)), size };
}

function natural(operand: Operand | undefined): number | undefined {
  const constant = operand?.constant;
  return constant !== undefined && constant >= 0 ? constant : undefined;
}

/**
 * Returns the estimated size of a slice of a CEL list. The size is 2^64 if `end` is before `start`,
 * since the subtraction of unsigned integers in Kubernetes wraps around.
 */
function sliceSize(start: number, end: number): Range {
  return fixed(end < start ? UNKNOWN.max : end - start);
}

function sort(factor: number, list: Operand | undefined): CallEstimate | undefined {
  return list && allocation(factor, multiply(list.size, list.size));
}

function sets(factor: number): Estimate {
  return ({ args: [a, b] }) =>
    a && b && { cost: add(scale(multiply(a.size, b.size), factor), ONE) };
}

function ofText(overload: string): boolean {
  return overload.startsWith("list_string_") || overload.startsWith("list_bytes_");
}

/**
 * The names of the CEL object types for which a comparison with `==` is estimated at a cost of 1.
 */
const ATOMIC = new Set([
  "net.IP",
  "net.CIDR",
  "kubernetes.Quantity",
  "kubernetes.Semver",
  "kubernetes.authorization.Authorizer",
  "kubernetes.authorization.PathCheck",
  "kubernetes.authorization.GroupCheck",
  "kubernetes.authorization.ResourceCheck",
  "kubernetes.authorization.Decision",
]);

function equality({ args: [a, b] }: EstimatedCall): CallEstimate | undefined {
  if (!a || !b || a.type.name !== b.type.name) return undefined;
  if (ATOMIC.has(a.type.name)) return { cost: ONE };
  if (a.type.name === "kubernetes.NamedFormat") return { cost: traverse({ min: 1, max: 64 }) };
  if (a.type.name === "kubernetes.URL") {
    return { cost: traverse({ min: 1, max: b.isSizeKnown ? b.size.max : 1 }) };
  }
  return undefined;
}

function each(names: string, estimate: Estimate): Record<string, Estimate> {
  return Object.fromEntries(names.split(" ").map((name) => [name, estimate]));
}

/**
 * The functions that estimate the cost of a CEL call, by the name of the called function. A call of
 * another function, or one that such a function estimates as `undefined`, is estimated by its
 * overload.
 */
const BY_FUNCTION: Readonly<Record<string, Estimate>> = {
  check: () => ({ cost: fixed(350_000) }),
  ...each(
    "serviceAccount path group resource subresource namespace name allowed reason error errored " +
      "masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast " +
      "isLinkLocalUnicast isGlobalUnicast format.named sign asInteger isInteger " +
      "asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch getScheme " +
      "getHostname getHost getPort getEscapedPath getQuery",
    nominal,
  ),
  fieldSelector: selector,
  labelSelector: selector,
  ...each("isSorted sum max min indexOf lastIndexOf", walk),
  ...each(
    "url jsonpatch.escapeKey",
    ({ args: [text] }) => text && { cost: traverse(text.size), size: text.size },
  ),
  ...each("lowerAscii upperAscii substring trim", sameSize),
  replace,
  split,
  join,
  find,
  findAll: find,
  ...each("cidr isIP isCIDR quantity isQuantity semver isSemver", argument),
  ip: (call) => call.overload === "cidr_ip" ? { cost: ONE } : argument(call),
  "ip.isCanonical": ({ args: [text] }) => text && { cost: traverse(text.size, 2) },
  containsIP: containsIp,
  containsCIDR: containsCidr,
  validate: ({ args: [text] }) =>
    text && { cost: scale(traverse(text.size), LONGEST_PATTERN * PER_PATTERN_CHARACTER) },
  "_==_": equality,
  "@sortByAssociatedKeys": ({ overload, args: [keys] }) => sort(ofText(overload) ? 2.1 : 2, keys),
  sort: ({ overload, target }) => sort(ofText(overload) ? 2.1 : 2, target),
  distinct: ({ target }) => sort(2, target),
  slice: ({ target, args: [start, end] }) =>
    target && allocation(1, sliceSize(natural(start) ?? 0, natural(end) ?? target.size.max)),
  "lists.range": ({ args: [count] }) => allocation(1, fixed(count?.constant ?? UNKNOWN.max)),
  flatten: ({ target, args: [depth] }) =>
    target && allocation(depth ? depth.constant ?? UNKNOWN.max : 1, target.size),
  "sets.contains": sets(1),
  "sets.intersects": sets(1),
  "sets.equivalent": sets(2),
};

/**
 * Estimates the cost of a CEL call, and for some overloads the size of its result, from the
 * identifier of the overload. An overload without a special cost costs 1.
 */
function byOverload({ overload, target, args }: EstimatedCall): CallEstimate {
  const [first, second] = args;
  switch (overload) {
    case "list_reverse":
      return allocation(1, target!.size);
    case "string_format":
      return { cost: traverse(target!.size) };
    case "string_to_bytes":
      return {
        cost: traverse(first!.size),
        size: { min: first!.size.min, max: Math.min(first!.size.max * 4, UNKNOWN.max) },
      };
    case "bytes_to_string":
      return {
        cost: traverse(first!.size),
        size: { min: Math.floor(first!.size.min / 4), max: first!.size.max },
      };
    case "strings_quote":
      return {
        cost: traverse(first!.size),
        size: {
          min: first!.size.min + 2,
          max: Math.min(first!.size.max * 2 + 2, UNKNOWN.max),
        },
      };
    case "starts_with_string":
    case "ends_with_string":
      return { cost: traverse(first!.size) };
    case "in_list":
      return { cost: second!.size };
    case "matches_string":
      return { cost: match(target!, first!) };
    case "contains_string":
      return { cost: multiply(traverse(target!.size), traverse(first!.size)) };
  }
  if (/^(less|greater)(_equals)?_(string|bytes)$|^(not_)?equals$/.test(overload)) {
    const max = Math.min(first!.size.max, second!.size.max);
    return { cost: traverse({ min: max > 0 ? 1 : 0, max }) };
  }
  return { cost: ONE };
}

/**
 * Estimates the cost of a CEL call without its operands and, for some functions, the size of its
 * result, from the sizes of the operands.
 */
export function estimateCall(call: EstimatedCall): CallEstimate {
  const estimate = Object.hasOwn(BY_FUNCTION, call.name) ? BY_FUNCTION[call.name] : undefined;
  return estimate?.(call) ?? byOverload(call);
}
