// Mirrors `fieldpath/serialize.go, Set.FromJSON`.
import { EMPTY, type FieldSet, isMember, makeNode, sorted, union } from "./field_set.ts";
import { parseElement } from "./path_element.ts";

/**
 * Parses the `fieldsV1` of a managed fields entry that a client sent, with elements in any order
 * and spelling; elements of an unknown kind are skipped. An absent value gives the empty set.
 *
 * @throws {SyntaxError} If the value is not a valid field set.
 */
export function readFieldSet(value: unknown): FieldSet {
  if (value === null || value === undefined) return EMPTY;
  if (typeof value !== "object" || Array.isArray(value)) {
    throw new SyntaxError("ReadMapCB: expect { or n");
  }
  const result: Record<string, FieldSet> = {};
  for (const [text, inner] of Object.entries(value)) {
    if (text === ".") continue;
    const element = parseElement(text);
    if (element === undefined) continue;
    const children = readFieldSet(inner);
    const node = makeNode(marksSelf(inner, children), children)!;
    const known = result[element];
    result[element] = known === undefined ? node : join(known, node);
  }
  return sorted(result);
}

/** Merges two nodes of one path element that is spelled in two ways. */
function join(a: FieldSet, b: FieldSet): FieldSet {
  const { ".": _, ...rest } = union(a, b);
  return makeNode(isMember(a) || isMember(b), rest)!;
}

function marksSelf(value: unknown, children: FieldSet): boolean {
  for (const _ in children) return value !== null && typeof value === "object" && "." in value;
  return true;
}
