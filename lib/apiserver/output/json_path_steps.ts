// Mirrors `util/jsonpath/jsonpath.go, JSONPath.walk`.

import { sortTexts } from "@xca/apimachinery/internal/values";
/**
 * A step of a JSONPath: a function that adds the values found below a value to `found`, the values
 * that the search has found in this step. A step that may visit many values yields, so that other
 * work may run.
 */
export type Step = (
  value: unknown,
  found: Set<unknown>,
  search: JsonPathSearch,
) => Iterable<void>;

/** The empty sequence of pauses of a step that visits its values without a pause. */
const NO_PAUSES: Iterable<void> = [];

/** The number of values that a search visits between two pauses. */
const PAUSE_AFTER = 500;

/**
 * A search with a JSONPath in an object. Each step visits each value once, however many ways lead
 * to the value: several recursive descents in one path would find the same values again and again,
 * more often with each level of the object. The first value found, which a printer column shows, is
 * the same as in a search with repetitions.
 */
export class JsonPathSearch {
  /** The decisions of the filters whether an item passes, by filter and item. */
  readonly decisions: Map<Step, Map<unknown, boolean>> = new Map();
  #visited = 0;

  /** Finds the distinct values at the end of the steps from a value, in order. */
  *find(steps: readonly Step[], root: unknown): Generator<void, unknown[]> {
    let values = new Set<unknown>([root]);
    for (const step of steps) {
      const found = new Set<unknown>();
      for (const value of values) {
        if (this.isPauseDue()) yield;
        yield* step(value, found, this);
      }
      values = found;
    }
    return [...values];
  }

  /** Counts a visited value, and reports whether the search should yield to other work. */
  isPauseDue(): boolean {
    return ++this.#visited % PAUSE_AFTER === 0;
  }
}

/** Returns the content of a quoted JSONPath literal, without its quotes and escapes. */
export function unquote(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/g, "$1");
}

/** Returns the JSONPath step to the member of an object that has the given name. */
export function fieldStep(name: string): Step {
  return (value, found) => {
    if (
      value !== null && typeof value === "object" && !Array.isArray(value) &&
      Object.hasOwn(value, name)
    ) found.add((value as Record<string, unknown>)[name]);
    return NO_PAUSES;
  };
}

/**
 * The JSONPath step to the items of a list, or to the member values of an object in the order of
 * their names.
 */
export function* children(
  value: unknown,
  found: Set<unknown>,
  search: JsonPathSearch,
): Generator<void, void> {
  for (const inner of innerOf(value)) {
    found.add(inner);
    if (search.isPauseDue()) yield;
  }
}

/** Returns the items of a list, or the member values of an object in the order of their names. */
function innerOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (value === null || typeof value !== "object") return [];
  const members = value as Record<string, unknown>;
  return sortTexts(Object.keys(members)).map((name) => members[name]);
}

/**
 * The JSONPath step to a value and all values below it, each before its own inner values. Values
 * without inner values are left out, apart from a string at the start, since later steps find
 * nothing in them.
 */
export function* descend(
  value: unknown,
  found: Set<unknown>,
  search: JsonPathSearch,
): Generator<void, void> {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (search.isPauseDue()) yield;
    if (found.has(next)) continue;
    if (typeof next === "string" && next !== "") found.add(next);
    const inner = innerOf(next);
    if (inner.length === 0) continue;
    found.add(next);
    for (let index = inner.length - 1; index >= 0; index--) {
      const each = inner[index];
      if (typeof each === "object" && each !== null && !found.has(each)) open.push(each);
      if (search.isPauseDue()) yield;
    }
  }
}

/**
 * Returns the JSONPath step that adds the values that each of several steps finds, in their order.
 */
export function allOf(steps: readonly Step[]): Step {
  return function* (value, found, search) {
    for (const step of steps) yield* step(value, found, search);
  };
}

/**
 * Returns the JSONPath step to an item or to a slice of a list, given the match of its position
 * `[from:to:by]`. Negative numbers count from the end; a value other than a list has no items.
 */
export function positionStep([, from, colon, to, by]: RegExpExecArray): Step {
  return function* (value, found, search) {
    if (!Array.isArray(value)) return;
    if (colon === undefined) {
      const item = value.at(Number(from));
      if (item !== undefined) found.add(item);
      return;
    }
    const start = from === "" ? 0 : Number(from);
    const end = to === "" ? value.length : Number(to);
    const step = by === undefined || by === "" ? 1 : Number(by);
    if (step === 0) return;
    const items = value.slice(start, end);
    for (let index = 0; index < items.length; index += step) {
      found.add(items[index]);
      if (search.isPauseDue()) yield;
    }
  };
}

/** A side of a comparison in a JSONPath filter: a literal, or the steps of a path from the item. */
type Operand = { readonly literal: unknown } | { readonly steps: readonly Step[] };

/**
 * Returns the JSONPath step to the items of a list, or the member values of an object, that pass a
 * filter. A filter without an operator passes each item in which its path finds a value.
 *
 * @throws {SyntaxError} If the filter is invalid.
 */
export function filterStep(text: string, parse: (path: string) => readonly Step[]): Step {
  const match = /^([^]+?)(==|!=|<=|>=|<|>)([^]+)$/.exec(text);
  const left = operand(match ? match[1]!.trimEnd() : text, parse);
  const right = match ? operand(match[3]!.trimStart(), parse) : undefined;
  const operator = match?.[2];
  const passes = function* (item: unknown, search: JsonPathSearch): Generator<void, boolean> {
    const found = yield* valuesOf(left, item, search);
    if (found.length === 0 || !right) return found.length > 0;
    const others = yield* valuesOf(right, item, search);
    return others.length > 0 && compare(found[0], operator!, others[0]);
  };
  return function* filter(value, found, search): Generator<void, void> {
    let decisions = search.decisions.get(filter);
    if (!decisions) search.decisions.set(filter, decisions = new Map());
    for (const item of innerOf(value)) {
      let decision = decisions.get(item);
      if (decision === undefined) {
        decisions.set(item, decision = yield* passes(item, search));
      }
      if (decision) found.add(item);
      if (search.isPauseDue()) yield;
    }
  };
}

function* valuesOf(
  operand: Operand,
  item: unknown,
  search: JsonPathSearch,
): Generator<void, readonly unknown[]> {
  return "literal" in operand ? [operand.literal] : yield* search.find(operand.steps, item);
}

function operand(text: string, parse: (path: string) => readonly Step[]): Operand {
  if (/^(['"])[^]*\1$/.test(text)) return { literal: unquote(text) };
  if (text === "true" || text === "false") return { literal: text === "true" };
  if (/^-?\d+(\.\d+)?$/.test(text)) return { literal: Number(text) };
  if (!text.startsWith("@")) throw new SyntaxError(`unrecognized filter ${text}`);
  return { steps: parse(text.slice(1)) };
}

function compare(left: unknown, operator: string, right: unknown): boolean {
  if (typeof left !== typeof right) return false;
  switch (operator) {
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    case "<":
      return left! < right!;
    case "<=":
      return left! <= right!;
    case ">":
      return left! > right!;
    default:
      return left! >= right!;
  }
}
