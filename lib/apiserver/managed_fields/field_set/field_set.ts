/**
 * Sets of field paths, in the representation of `fieldsV1`, so that neither encoding nor decoding
 * is needed: each property is a path element, an empty object is a member without children, and
 * `"."` marks a member with children.
 *
 * Sets are immutable, and operations share unchanged parts. The elements of every set are in the
 * order of {@linkcode compareElements}, `"."` first.
 *
 * Mirrors `fieldpath/set.go, Set`.
 *
 * @module
 */
import { compareElements, compareRead, readElement } from "./path_element.ts";

/** A set of field paths; also the part of such a set below one path element. */
export interface FieldSet {
  readonly [element: string]: FieldSet;
}

type Draft = Record<string, FieldSet>;

/** The empty set of field paths; as a node below an element, a member without children. */
export const EMPTY: FieldSet = Object.freeze({});

/** The key that marks a path element that is a member of the set and has children. */
const SELF = ".";

/** Reports whether a set of field paths has no members. */
export function isEmpty(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

/** Reports whether the path that ends at this node is a member of the set of field paths. */
export function isMember(node: FieldSet): boolean {
  return SELF in node || isEmpty(node);
}

/**
 * Reports whether a set of field paths contains a path as a member; false for the empty path, and
 * for a path of which only children are members.
 */
export function hasPath(set: FieldSet, path: readonly string[]): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) {
    node = node[element];
    if (node === undefined) return false;
  }
  return path.length > 0 && isMember(node);
}

/** Returns the part of a set of field paths below an element; empty if there is none. */
export function below(set: FieldSet, element: string): FieldSet {
  const node = set[element];
  return node === undefined ? EMPTY : withoutSelf(node);
}

function withoutSelf(node: FieldSet): FieldSet {
  if (!(SELF in node)) return node;
  const { [SELF]: _, ...children } = node;
  return children;
}

/**
 * Returns a node of a field set that is a member if `member` is set, with the given children;
 * `undefined` for a node that is neither a member nor has children.
 */
export function makeNode(member: boolean, children: FieldSet): FieldSet | undefined {
  if (isEmpty(children)) return member ? EMPTY : undefined;
  return member ? { [SELF]: EMPTY, ...children } : children;
}

/**
 * Returns the node of a field set's member with the given children, in any order. Costs less than
 * {@linkcode makeNode} on {@linkcode sorted} children, which copies them once more.
 */
export function memberWith(children: ReadonlyMap<string, FieldSet>): FieldSet {
  return children.size === 0 ? EMPTY : filled({ [SELF]: EMPTY }, children);
}

/** Returns the set of field paths with the given elements at its first level, in any order. */
export function setWith(elements: ReadonlyMap<string, FieldSet>): FieldSet {
  return elements.size === 0 ? EMPTY : filled({}, elements);
}

function filled(draft: Draft, elements: ReadonlyMap<string, FieldSet>): FieldSet {
  for (const text of inOrder([...elements.keys()])) draft[text] = elements.get(text)!;
  return draft;
}

/**
 * Returns a set of field paths with the elements of its first level sorted; the set itself if they
 * are.
 */
export function sorted(set: FieldSet): FieldSet {
  const all = Object.keys(set);
  const elements = SELF in set ? all.filter((element) => element !== SELF) : all;
  const ordered = inOrder(elements);
  if (ordered === elements && (elements === all || all[0] === SELF)) return set;
  const result: Draft = elements === all ? {} : { [SELF]: set[SELF]! };
  for (const text of ordered) result[text] = set[text]!;
  return result;
}

/** Returns path elements sorted: the same list if it is sorted already. */
function inOrder(elements: readonly string[]): readonly string[] {
  const read = elements.map(readElement);
  for (let i = 1; i < read.length; i++) {
    if (compareRead(read[i - 1]!, read[i]!) > 0) {
      return read.sort(compareRead).map(({ text }) => text);
    }
  }
  return elements;
}

function compare(a: string, b: string): number {
  if (a === SELF) return b === SELF ? 0 : -1;
  return b === SELF ? 1 : compareElements(a, b);
}

/** Returns the set of the given field paths. */
export function setOf(...paths: readonly (readonly string[])[]): FieldSet {
  return paths.reduce((set, path) => union(set, onePath(path)), EMPTY);
}

function onePath(path: readonly string[]): FieldSet {
  return path.reduceRight<FieldSet>((node, element) => ({ [element]: node }), EMPTY);
}

/** Returns the union of two sets of field paths. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmpty(b)) return a;
  if (isEmpty(a)) return b;
  const result: Draft = {};
  const left = Object.keys(a);
  const right = Object.keys(b);
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    const [x, y] = [left[i]!, right[j]!];
    const order = x === y ? 0 : compare(x, y);
    if (order === 0) {
      result[x] = x === SELF ? EMPTY : unionNode(a[x]!, b[y]!);
      i++;
      j++;
    } else if (order < 0) result[left[i++]!] = a[x]!;
    else result[right[j++]!] = b[y]!;
  }
  for (; i < left.length; i++) result[left[i]!] = a[left[i]!]!;
  for (; j < right.length; j++) result[right[j]!] = b[right[j]!]!;
  return result;
}

function unionNode(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  if (isEmpty(a)) return isEmpty(b) || SELF in b ? b : { [SELF]: EMPTY, ...b };
  if (isEmpty(b)) return SELF in a ? a : { [SELF]: EMPTY, ...a };
  return union(a, b);
}

/** Returns the intersection of two sets of field paths. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  const result: Draft = {};
  for (const element in a) {
    const other = b[element];
    if (element === SELF || other === undefined) continue;
    const own = a[element]!;
    const node = makeNode(
      isMember(own) && isMember(other),
      intersection(withoutSelf(own), withoutSelf(other)),
    );
    if (node !== undefined) result[element] = node;
  }
  return result;
}

/** Returns the field paths of `a` that are not in `b`. Children of a removed path are kept. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, (own, other) => {
    const rest = difference(withoutSelf(own), withoutSelf(other));
    return makeNode(isMember(own) && !isMember(other), rest);
  });
}

/** Returns the field paths of `a` that are neither in `b` nor below a path of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, (own, other) => {
    if (isMember(other)) return undefined;
    return makeNode(isMember(own), recursiveDifference(withoutSelf(own), other));
  });
}

/**
 * Returns the field set `a`, in which `node` replaces each element of the first level that `b` has
 * as well, or removes it by returning `undefined`; `a` itself if there is no such element.
 */
function subtract(
  a: FieldSet,
  b: FieldSet,
  node: (own: FieldSet, other: FieldSet) => FieldSet | undefined,
): FieldSet {
  let touched = false;
  for (const element in b) {
    if (element !== SELF && element in a) {
      touched = true;
      break;
    }
  }
  if (!touched) return a;
  const result: Draft = {};
  for (const element in a) {
    const other = element === SELF ? undefined : b[element];
    const rest = other === undefined ? a[element] : node(a[element]!, other);
    if (rest !== undefined) result[element] = rest;
  }
  return result;
}

/**
 * Calls `visit` with each path of a field set: first the members of a level, then their children.
 */
export function forEachPath(
  set: FieldSet,
  visit: (path: readonly string[]) => void,
  prefix: readonly string[] = [],
): void {
  for (const element in set) {
    if (element !== SELF && isMember(set[element]!)) visit([...prefix, element]);
  }
  for (const element in set) {
    if (element !== SELF) forEachPath(set[element]!, visit, [...prefix, element]);
  }
}

/** Reports whether two sets of field paths are equal. */
export function setsEqual(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  const elements = Object.keys(a);
  return elements.length === Object.keys(b).length &&
    elements.every((element) => element in b && setsEqual(a[element]!, b[element]!));
}
