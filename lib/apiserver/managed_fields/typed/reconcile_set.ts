// Mirrors `typed/reconcile_schema.go, ReconcileFieldSetWithSchema`.
import {
  type FieldSet,
  isEmpty,
  recursiveDifference,
  setOf,
  union,
} from "../field_set/field_set.ts";
import type { MergeType } from "./merge_type.ts";

/**
 * Returns a set of owned fields adapted to a schema that changed since the set was written: fields
 * and items of a value that has become atomic are replaced by the value as a whole. Returns the
 * given set if there is no such value.
 */
export function reconcileSet(set: FieldSet, type: MergeType): FieldSet {
  const atomics: (readonly string[])[] = [];
  findAtomics(set, type, false, [], atomics);
  if (atomics.length === 0) return set;
  const paths = setOf(...atomics.filter((path) => path.length > 0));
  return union(recursiveDifference(set, paths), paths);
}

function findAtomics(
  node: FieldSet,
  type: MergeType,
  isLeaf: boolean,
  path: readonly string[],
  found: (readonly string[])[],
): void {
  if (type.map) {
    if (type.map.deduced) return;
    if (type.map.atomic && !isLeaf) {
      if (!isEmpty(node)) found.push(path);
      return;
    }
  } else if (type.scalar) return;
  else if (type.list?.atomic && !isLeaf) {
    found.push(path);
    return;
  }
  for (const element in node) {
    const children = node[element]!;
    const inner = element === "." ? undefined : typeBelow(type, element);
    if (inner === undefined || (inner.scalar && !inner.map)) continue;
    findAtomics(children, inner, isEmpty(children), [...path, element], found);
  }
}

function typeBelow(type: MergeType, element: string): MergeType | undefined {
  if (!type.map) return type.list?.element;
  return type.map.field(element[0] === "f" ? element.slice(2) : "");
}
