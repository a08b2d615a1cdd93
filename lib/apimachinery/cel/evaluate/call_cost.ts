// Mirrors `cel/library/cost.go, CostEstimator.CallCost`.
import { NamedFormat } from "../libraries/formats.ts";
import {
  CelBytes,
  CelList,
  CelMap,
  CelObject,
  CelOptional,
  type CelValue,
  sizeOf,
} from "../values/value.ts";

/** The cost, in cost units of CEL, per character of a text that a function reads. */
const PER_CHARACTER = 0.1;
const PER_PATTERN_CHARACTER = 0.25;
const LIST_COST = 10;
const STRUCT_COST = 40;

function size(value: CelValue | undefined): number {
  if (value === undefined) return 1;
  if (value instanceof CelOptional) return value.value === undefined ? 1 : size(value.value);
  return sizeOf(value);
}

function traverse(characters: number, factor = 1): number {
  return Math.ceil(characters * factor * PER_CHARACTER);
}

/**
 * Returns the CEL cost of matching a text with a regular expression of `patternSize` characters.
 */
function match(text: CelValue | undefined, patternSize: number): number {
  return Math.ceil((1 + size(text)) * PER_CHARACTER) *
    Math.ceil(patternSize * PER_PATTERN_CHARACTER);
}

/**
 * Returns the CEL cost of visiting a value with all its elements: of a text or of bytes 0.1 per
 * byte, rounded down; of a list the sum of its elements, of a map that of its keys and values; 1
 * for every other value.
 */
function traversal(value: CelValue): number {
  if (typeof value === "string") {
    return Math.floor(new TextEncoder().encode(value).length * PER_CHARACTER);
  }
  if (value instanceof CelBytes) return Math.floor(value.bytes.length * PER_CHARACTER);
  let cost = 0;
  if (value instanceof CelList) {
    for (const element of value) cost += traversal(element);
    return cost;
  }
  if (value instanceof CelMap) {
    for (const key of value.keys()) cost += traversal(key) + traversal(value.find(key) ?? null);
    return cost;
  }
  return 1;
}

function selectorCost(length: number): number {
  return LIST_COST + traverse(length) + Math.ceil(length * 0.5) * (LIST_COST + STRUCT_COST);
}

type Cost = (args: readonly CelValue[], result: CelValue) => number;

const one: Cost = () => 1;
const firstOnce: Cost = ([text]) => traverse(size(text));
const firstTwice: Cost = ([text]) => traverse(size(text), 2);
const traverseFirst: Cost = ([value]) => value === undefined ? 0 : traversal(value);
const allocate: Cost = (_, result) => 1 + LIST_COST + size(result);
const selector: Cost = ([, text]) => selectorCost(size(text));
const found: Cost = ([text, pattern]) => match(text, size(pattern));
const both: Cost = ([a, b]) => traverse(Math.min(size(a), size(b)));

function selfCompare(list: CelValue | undefined): number {
  const count = size(list);
  const first = list instanceof CelList && count > 0 ? list.get(0) : null;
  const factor = typeof first === "string" || first instanceof CelBytes ? 2.1 : 2;
  return 1 + LIST_COST + Math.floor(count * count * factor);
}

const sets: Cost = ([a, b]) => 1 + size(a) * size(b);

function each(names: string, cost: Cost): Record<string, Cost> {
  return Object.fromEntries(names.split(" ").map((name) => [name, cost]));
}

/**
 * The functions that compute the cost of an evaluated CEL call, by the name of the called function.
 * A call of a function that neither this record nor {@linkcode callCost} lists costs 1.
 */
const BY_FUNCTION: Readonly<Record<string, Cost>> = {
  check: () => 350_000,
  ...each(
    "serviceAccount path group resource subresource namespace name allowed reason error errored",
    one,
  ),
  fieldSelector: selector,
  labelSelector: selector,
  ...each("isSorted sum max min indexOf lastIndexOf", traverseFirst),
  ...each("url lowerAscii upperAscii substring trim jsonpatch.escapeKey", firstOnce),
  replace: firstTwice,
  split: firstTwice,
  join: (_, result) => traverse(size(result), 2),
  find: found,
  findAll: found,
  ...each("cidr isIP isCIDR", firstOnce),
  "ip.isCanonical": firstTwice,
  ip: ([value]) => value instanceof CelObject ? 1 : traverse(size(value)),
  containsIP: ([range, ip]) => traverse(2 * size(range)) + parsed(ip),
  containsCIDR: ([range, part]) =>
    traverse(2 * size(range)) + traverse(size(range)) + 1 + parsed(part),
  ...each("quantity isQuantity semver isSemver", firstOnce),
  validate: ([format, text]) => format instanceof NamedFormat ? match(text, format.patternSize) : 1,
  ...each("startsWith endsWith strings.quote format", firstOnce),
  bytes: firstOnce,
  contains: ([text, part]) => traverse(size(text)) * traverse(size(part)),
  matches: found,
  "_==_": ([a, b]) => a instanceof CelObject ? 1 : both([a!, b!], null),
  "_!=_": both,
  slice: allocate,
  reverse: allocate,
  "lists.range": allocate,
  flatten: ([list, depth]) => 1 + LIST_COST + size(list) * Number(depth ?? 1),
  distinct: ([list]) => selfCompare(list),
  sort: ([list]) => selfCompare(list),
  "@sortByAssociatedKeys": ([, keys]) => selfCompare(keys),
  "sets.contains": sets,
  "sets.intersects": sets,
  "sets.equivalent": ([a, b]) => 1 + 2 * size(a) * size(b),
};

function parsed(value: CelValue | undefined): number {
  return typeof value === "string" ? traverse(size(value)) : 0;
}

/** Returns the cost of a CEL call that was evaluated, without the cost of its arguments. */
export function callCost(name: string, args: readonly CelValue[], result: CelValue): number {
  const [first, second] = args;
  switch (name) {
    case "@in":
      return second instanceof CelList ? second.size : 1;
    case "_+_":
      return typeof first === "string" || first instanceof CelBytes
        ? traverse(size(first) + size(second))
        : 1;
    case "_<_":
    case "_<=_":
    case "_>_":
    case "_>=_":
      return typeof first === "string" || first instanceof CelBytes
        ? traverse(Math.min(size(first), size(second)))
        : 1;
    case "string":
      return first instanceof CelBytes ? traverse(size(first)) : 1;
  }
  return Object.hasOwn(BY_FUNCTION, name) ? BY_FUNCTION[name]!(args, result) : 1;
}
