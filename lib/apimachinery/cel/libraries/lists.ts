// Mirrors `cel/library/lists.go, Lists`.
import type { Implementation, Library } from "../declarations.ts";
import { compare, equal } from "../values/equality.ts";
import {
  CelDuration,
  CelError,
  CelList,
  type CelValue,
  typeOf,
  Uint,
  ValueList,
} from "../values/value.ts";
import { listContains, noSuchOverload, OPERATORS } from "./operators.ts";

const COMPARABLE = "int uint double bool duration timestamp string bytes".split(" ");
const SUMMABLE = "int uint double duration".split(" ");
/**
 * The maximum length of a list from `lists.range`. A longer one results in the error {@linkcode
 * COST_EXCEEDED}, since it would exceed the cost limit of one CEL evaluation.
 */
const MAX_RANGE = 1_000_000n;

function each(template: (type: string) => string, types: readonly string[] = COMPARABLE): string {
  return types.map(template).join("\n");
}

function onList(run: (list: CelList, ...args: CelValue[]) => CelValue): Implementation {
  return (list, ...args) => list instanceof CelList ? run(list, ...args) : noSuchOverload(list!);
}

const isSorted = onList((list) => {
  let previous: CelValue | undefined;
  for (const element of list) {
    if (element instanceof CelError) return element;
    if (previous !== undefined && compare(previous, element) === 1) return false;
    previous = element;
  }
  return true;
});

function sum(zero: CelValue): Implementation {
  const add = OPERATORS.implementations["_+_"]!;
  return onList((list) => {
    let total = zero;
    for (const element of list) {
      total = add(total, element);
      if (total instanceof CelError) return noSuchOverload(total);
    }
    return total;
  });
}

function extreme(name: string, sign: number): Implementation {
  return onList((list) => {
    let best: CelValue | undefined;
    for (const element of list) {
      if (element instanceof CelError) return element;
      if (best === undefined || compare(best, element) === sign) best = element;
    }
    return best ?? (best === undefined ? new CelError(`${name} called on empty list`) : best);
  });
}

const indexOf = onList((list, item) => {
  for (let index = 0; index < list.size; index++) {
    if (equal(list.get(index), item!) === true) return BigInt(index);
  }
  return -1n;
});

const lastIndexOf = onList((list, item) => {
  for (let index = list.size - 1; index >= 0; index--) {
    if (equal(list.get(index), item!) === true) return BigInt(index);
  }
  return -1n;
});

const slice = onList((list, start, end) => {
  const fail = (why: string): CelError => new CelError(`cannot slice(${start}, ${end}), ${why}`);
  const from = Number(start);
  const to = Number(end);
  if (from < 0 || to < 0) return fail("negative indexes not supported");
  if (from > to) return fail("start index must be less than or equal to end index");
  if (list.size < to) return fail(`list is length ${list.size}`);
  return new ValueList([...list].slice(from, to));
});

/**
 * Implements CEL's `flatten`: flattens a list to a depth, by default 1. Returns a `CelError` for a
 * negative depth, and for a receiver that is not a list; the latter error names the types, unlike
 * those of the other list functions.
 */
const flatten: Implementation = (list, depth) => {
  if (!(list instanceof CelList)) {
    const of = depth === undefined ? "" : typeOf(depth).name;
    return new CelError(`no such overload: ${typeOf(list!).name}.flatten(${of})`);
  }
  const levels = Number(depth ?? 1n);
  if (levels < 0) return new CelError("level must be non-negative");
  return new ValueList([...flat(list, levels)]);
};

function* flat(list: CelList, depth: number): Generator<CelValue> {
  for (const element of list) {
    if (depth > 0 && element instanceof CelList) yield* flat(element, depth - 1);
    else yield element;
  }
}

const sortByKeys = onList((list, keys) => {
  const ordered = [...keys as CelList];
  if (list.size !== ordered.length) {
    return new CelError(
      "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got " +
        `${list.size} and ${ordered.length} elements respectively`,
    );
  }
  if (list.size === 0) return list;
  const first = typeOf(ordered[0]!);
  if (ordered.some((key) => typeOf(key).name !== first.name)) {
    return new CelError("list elements must have the same type");
  }
  if (!COMPARABLE.includes(String(first))) return new CelError("list elements must be comparable");
  const indices = ordered.map((_, index) => index);
  indices.sort((a, b) => compare(ordered[a]!, ordered[b]!) as number);
  return new ValueList(indices.map((index) => list.get(index)));
});

const range: Implementation = (count) => {
  if ((count as bigint) > MAX_RANGE) return new CelError(COST_EXCEEDED);
  return new ValueList(
    Array.from({ length: Math.max(0, Number(count)) }, (_, index) => BigInt(index)),
  );
};

/** The error message for a CEL evaluation that exceeds its cost limit. */
export const COST_EXCEEDED = "operation cancelled: actual cost limit exceeded";

const distinct = onList((list) => {
  const kept: CelValue[] = [];
  for (const element of list) {
    if (!kept.some((other) => equal(element, other) === true)) kept.push(element);
  }
  return new ValueList(kept);
});

/**
 * Implements `sets.contains` of CEL: reports whether a list contains all elements of another list.
 * The result is a `CelError` if an element equals none of that list and a comparison with it fails.
 */
const containsAll: Implementation = (set, part) => {
  for (const element of part as CelList) {
    const found = listContains(set as CelList, element);
    if (found !== true) return found;
  }
  return true;
};

const equivalent: Implementation = (a, b) => {
  const contained = containsAll(a!, b!);
  return contained === true ? containsAll(b!, a!) : contained;
};

const intersects: Implementation = (a, b) => {
  for (const element of a as CelList) {
    if (listContains(b as CelList, element) === true) return true;
  }
  return false;
};

/** The CEL library of functions for lists, and for lists as sets. */
export const LISTS: Library = {
  signatures: `
    ${each((type) => `isSorted list_${type}_is_sorted_bool.(list(${type})) bool`)}
    ${each((type) => `sum list_${type}_sum_${type}.(list(${type})) ${type}`, SUMMABLE)}
    ${each((type) => `max list_${type}_max_${type}.(list(${type})) ${type}`)}
    ${each((type) => `min list_${type}_min_${type}.(list(${type})) ${type}`)}
    indexOf list_a_index_of_int.(list(A), A) int
    lastIndexOf list_a_last_index_of_int.(list(A), A) int
    slice list_slice.(list(T), int, int) list(T)
    flatten list_flatten.(list(list(T))) list(T)
    flatten list_flatten_int.(list(dyn), int) list(dyn)
    ${each((type) => `sort list_${type}_sort.(list(${type})) list(${type})`)}
    ${
    each((type) =>
      `@sortByAssociatedKeys list_${type}_sortByAssociatedKeys.(list(T), list(${type})) list(T)`
    )
  }
    lists.range lists_range(int) list(int)
    reverse list_reverse.(list(T)) list(T)
    distinct list_distinct.(list(T)) list(T)
    sets.contains list_sets_contains_list(list(T), list(T)) bool
    sets.equivalent list_sets_equivalent_list(list(T), list(T)) bool
    sets.intersects list_sets_intersects_list(list(T), list(T)) bool`,
  implementations: {
    isSorted,
    list_int_sum_int: sum(0n),
    list_uint_sum_uint: sum(new Uint(0n)),
    list_double_sum_double: sum(0),
    list_duration_sum_duration: sum(new CelDuration(0n)),
    max: extreme("max", -1),
    min: extreme("min", 1),
    list_a_index_of_int: indexOf,
    list_a_last_index_of_int: lastIndexOf,
    list_slice: slice,
    flatten,
    sort: (list) => sortByKeys(list!, list!),
    "@sortByAssociatedKeys": sortByKeys,
    lists_range: range,
    list_reverse: onList((list) => new ValueList([...list].reverse())),
    list_distinct: distinct,
    list_sets_contains_list: containsAll,
    list_sets_equivalent_list: equivalent,
    list_sets_intersects_list: intersects,
  },
};
