// Mirrors `cel/common/valuesreflect.go, addToSetList`, and `addToMapList` there.
import {
  CelBytes,
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelTimestamp,
  type CelValue,
  Uint,
  ValueList,
} from "../values/value.ts";

type Equal = (a: CelValue, b: CelValue) => CelValue;

/**
 * Returns the text that identifies a CEL scalar: the same text for two scalars of equal type and
 * value.
 */
function textOf(value: CelValue): string {
  if (value instanceof Uint) return `uint ${value.value}`;
  if (value instanceof CelBytes) return `bytes ${value.bytes.join()}`;
  if (value instanceof CelDuration) return `duration ${value.nanoseconds}`;
  if (value instanceof CelTimestamp) return `timestamp ${value.nanoseconds}`;
  return `${typeof value} ${value === 0 ? 0 : value}`; // -0 is 0
}

/**
 * Returns the text that identifies an element of a CEL list of type `set`. Returns an element that
 * is a `CelError`, and a new `CelError` for an element that is a list or a map.
 */
function elementKey(element: CelValue): string | CelError {
  if (element instanceof CelError) return element;
  return element instanceof CelList || element instanceof CelMap
    ? new CelError("listSet operations are only supported on lists of scalar values")
    : textOf(element);
}

function elementKeys(list: Iterable<CelValue>): Set<string> | CelError {
  const keys = new Set<string>();
  for (const element of list) {
    const key = elementKey(element);
    if (key instanceof CelError) return key;
    keys.add(key);
  }
  return keys;
}

/**
 * Compares a CEL list of type `set` for equality with another list, regardless of order; the caller
 * has found that the two have the same length. The result is a `CelError` if an element is not a
 * scalar.
 */
export function equalSets(set: CelList, other: CelList): CelValue {
  const own = elementKeys(set);
  if (own instanceof CelError) return own;
  const seen = new Set<string>();
  for (const element of other) {
    const key = elementKey(element);
    if (key instanceof CelError) return key;
    if (!own.has(key)) return false;
    seen.add(key);
  }
  return seen.size === own.size;
}

/**
 * Returns a CEL list of type `set` with the new elements of another list appended. The result is a
 * `CelError` if an element is not a scalar.
 */
export function addToSet(set: CelList, other: CelList): CelValue {
  const keys = elementKeys(set);
  if (keys instanceof CelError) return keys;
  const all = [...set];
  for (const element of other) {
    const key = elementKey(element);
    if (key instanceof CelError) return key;
    if (keys.has(key)) continue;
    keys.add(key);
    all.push(element);
  }
  return new SetValues(all);
}

/**
 * The CEL list that results from adding a list to a list of type `set`
 * (`x-kubernetes-list-type: set`); it is of type `set` too.
 */
class SetValues extends ValueList {
  override equalsList(other: CelList): CelValue {
    return equalSets(this, other);
  }

  override addList(other: CelList): CelValue {
    return addToSet(this, other);
  }
}

/**
 * Returns the key of an entry of a CEL list of type `map`: the values of the fields `names`, as one
 * JSON text, with `null` for an absent field.
 */
export function entryKey(entry: CelValue, names: readonly string[]): string {
  return JSON.stringify(names.map((name) => {
    const value = entry instanceof CelMap ? entry.find(name) : undefined;
    return value === undefined || value instanceof CelError ? null : textOf(value);
  }));
}

/**
 * Compares a CEL list of type `map` for equality with another list, regardless of order, by the
 * entries' keys; the caller has found that the two have the same length. The result is a `CelError`
 * if a comparison of entries fails.
 *
 * @param keyOf Returns the key of an entry of the other list; `undefined` for an entry without a
 *   key.
 */
export function equalMaps(
  list: CelList,
  other: CelList,
  names: readonly string[],
  equal: Equal,
  keyOf: (entry: CelValue) => string | undefined = (entry) => entryKey(entry, names),
): CelValue {
  const own = new Map([...list].map((entry) => [entryKey(entry, names), entry]));
  const seen = new Set<string>();
  for (const entry of other) {
    const key = keyOf(entry);
    const mine = key === undefined ? undefined : own.get(key);
    if (key === undefined || mine === undefined) return false;
    const same = equal(mine, entry);
    if (same !== true) return same;
    seen.add(key);
  }
  return seen.size === own.size;
}

/**
 * Returns a CEL list of type `map` with the entries of another list. An entry replaces the entry of
 * the same key; all entries with new keys are appended, also several with one key.
 */
export function addToMap(list: CelList, other: CelList, names: readonly string[]): CelList {
  const all = [...list];
  const positions = new Map(all.map((entry, index) => [entryKey(entry, names), index]));
  for (const entry of other) {
    const position = positions.get(entryKey(entry, names));
    if (position === undefined) all.push(entry);
    else all[position] = entry;
  }
  return new MapValues(all, names);
}

/**
 * The CEL list that results from adding a list to a list of type `map`
 * (`x-kubernetes-list-type: map`); it is of type `map` too.
 */
class MapValues extends ValueList {
  readonly #names: readonly string[];

  constructor(entries: CelValue[], names: readonly string[]) {
    super(entries);
    this.#names = names;
  }

  override equalsList(other: CelList, equal: Equal): CelValue {
    return equalMaps(this, other, this.#names, equal);
  }

  override addList(other: CelList): CelValue {
    return addToMap(this, other, this.#names);
  }
}
