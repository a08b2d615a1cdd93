// Mirrors `cel/library.go, OptionalTypes`.
import type { Library } from "../declarations.ts";
import { FIRST_SECOND } from "../values/go_time.ts";
import {
  CelBytes,
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  type CelValue,
  Uint,
  ValueList,
  ValueMap,
} from "../values/value.ts";

function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === "") return true;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof CelBytes) return value.bytes.length === 0;
  if (value instanceof CelList || value instanceof CelMap) return value.size === 0;
  if (value instanceof CelDuration) return value.nanoseconds === 0n;
  if (value instanceof CelTimestamp) return value.nanoseconds === FIRST_SECOND * 1_000_000_000n;
  return value instanceof CelOptional && (value.value === undefined || isZero(value.value));
}

function unwrap(list: CelValue): CelValue {
  const values: CelValue[] = [];
  for (const element of list as CelList) {
    if (!(element instanceof CelOptional)) return new CelError("no such overload");
    if (element.value !== undefined) values.push(element.value);
  }
  return new ValueList(values);
}

function insertAll(target: ValueMap, source: CelMap): CelValue {
  for (const key of source.keys()) {
    const inserted = insertKey(target, key, source.find(key)!);
    if (inserted instanceof CelError) return inserted;
  }
  return target;
}

/**
 * Inserts a key, in place, into a CEL map that a macro builds. The result is that map, or a
 * `CelError` if the key exists.
 */
function insertKey(target: ValueMap, key: CelValue, value: CelValue): CelValue {
  if (target.find(key) !== undefined) {
    return new CelError(`insert failed: key ${showKey(key)} already exists`);
  }
  target.set(key, value);
  return target;
}

function showKey(key: CelValue): string {
  return key instanceof Uint ? String(key.value) : String(key);
}

/**
 * The CEL library of functions for optional values, and of the functions that insert into the maps
 * that macros build. Optional selections and indexes, `or` and `orValue` have signatures only; the
 * evaluator implements them.
 */
export const OPTIONALS: Library = {
  signatures: `
    optional.of optional_of(V) optional(V)
    optional.ofNonZeroValue optional_ofNonZeroValue(V) optional(V)
    optional.none optional_none() optional(V)
    optional.unwrap optional_unwrap(list(optional(V))) list(V)
    unwrapOpt optional_unwrapOpt.(list(optional(V))) list(V)
    value optional_value.(optional(V)) V
    hasValue optional_hasValue.(optional(V)) bool
    or optional_or_optional.(optional(V), optional(V)) optional(V)
    orValue optional_orValue_value.(optional(V), V) V
    first list_first.(list(V)) optional(V)
    last list_last.(list(V)) optional(V)
    _?._ select_optional_field(dyn, string) optional(V)
    _[?_] list_optindex_optional_int(list(V), int) optional(V)
    _[?_] optional_list_optindex_optional_int(optional(list(V)), int) optional(V)
    _[?_] map_optindex_optional_value(map(K, V), K) optional(V)
    _[?_] optional_map_optindex_optional_value(optional(map(K, V)), K) optional(V)
    _[_] optional_list_index_int(optional(list(V)), int) optional(V)
    _[_] optional_map_index_value(optional(map(K, V)), K) optional(V)
    cel.@mapInsert @mapInsert_map_key_value(map(K, V), K, V) map(K, V)
    cel.@mapInsert @mapInsert_map_map(map(K, V), map(K, V)) map(K, V)`,
  implementations: {
    optional_of: (value) => new CelOptional(value),
    optional_ofNonZeroValue: (value) => isZero(value!) ? CelOptional.none : new CelOptional(value),
    optional_none: () => CelOptional.none,
    optional_unwrap: (list) => unwrap(list!),
    optional_unwrapOpt: (list) => unwrap(list!),
    optional_value: (optional) =>
      (optional as CelOptional).value === undefined
        ? new CelError("optional.none() dereference")
        : (optional as CelOptional).value!,
    optional_hasValue: (optional) => (optional as CelOptional).value !== undefined,
    list_first: (list) =>
      (list as CelList).size === 0 ? CelOptional.none : new CelOptional((list as CelList).get(0)),
    list_last: (list) =>
      (list as CelList).size === 0
        ? CelOptional.none
        : new CelOptional((list as CelList).get((list as CelList).size - 1)),
    "@mapInsert_map_key_value": (map, key, value) => insertKey(map as ValueMap, key!, value!),
    "@mapInsert_map_map": (map, other) => insertAll(map as ValueMap, other as CelMap),
  },
};
