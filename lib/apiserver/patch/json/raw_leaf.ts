// Mirrors `json-patch.v4/patch.go, lazyNode`.
import { escapeHtml, goJson, isMap, setField } from "@xca/apimachinery/internal/values";
import type { JsonPatchOperation } from "./json_patch_operation.ts";

/**
 * A string or number of a JSON patch whose JSON text, as the client sent it, differs from the text
 * with which Go encodes the value: a sent `"<"` becomes `"\u003c"`, and `1.0` becomes `1`.
 * kube-apiserver's library compares the texts, so that a `test` of `"<"` fails, and a `test` of
 * `"\u003c"` passes.
 */
export class RawLeaf {
  constructor(readonly text: string, readonly value: string | number) {}
}

/** A pattern of JSON texts with a string or number that Go may encode by another text. */
const SUSPECT = /[<>&\\\u2028\u2029]|[0-9][.eE]|-0/;

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;

/**
 * Returns the operations of a JSON patch with {@linkcode RawLeaf}s for the strings and numbers in
 * their values that Go would encode by another text; `operations` itself if there are none.
 */
export function withRawLeaves(
  text: string,
  operations: readonly (JsonPatchOperation | null)[],
): readonly (JsonPatchOperation | null)[] {
  if (!SUSPECT.test(text)) return operations;
  const boxed = JSON.parse(text, boxLeaf as Reviver) as ({ readonly value?: unknown } | null)[];
  return operations.map((operation, index) => {
    const value = boxed[index]?.value;
    return operation === null || value === undefined ? operation : { ...operation, value };
  });
}

function boxLeaf(
  _key: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  const source = context?.source;
  if (source === undefined || (typeof value !== "string" && typeof value !== "number")) {
    return value;
  }
  return source === goJson(value) ? value : new RawLeaf(source, value);
}

/**
 * Reports whether two values of a patched document have the same JSON encoding, apart from the
 * order of fields.
 */
export function writtenAlike(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => writtenAlike(item, b[index]));
  }
  if (isObject(a) && isObject(b)) {
    const names = Object.keys(a).filter((name) => a[name] !== undefined);
    return names.length === Object.keys(b).filter((name) => b[name] !== undefined).length &&
      names.every((name) => Object.hasOwn(b, name) && writtenAlike(a[name], b[name]));
  }
  return isLeaf(a) && isLeaf(b) && textOf(a) === textOf(b);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return isMap(value) && !(value instanceof RawLeaf);
}

function isLeaf(value: unknown): boolean {
  return value instanceof RawLeaf || value === null || typeof value !== "object";
}

function textOf(leaf: unknown): string {
  return leaf instanceof RawLeaf ? leaf.text : goJson(leaf);
}

/**
 * Returns a copy of a value for a `copy` operation of a JSON patch, encoded as kube-apiserver's
 * library does: HTML characters are escaped, and numbers and other escapes are kept.
 */
export function copyOf<T>(value: T): T {
  if (value instanceof RawLeaf) return rewritten(value) as T;
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(copyOf) as T;
  const copy: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) setField(copy, name, copyOf(inner));
  return copy as T;
}

function rewritten({ text, value }: RawLeaf): RawLeaf | string | number {
  const escaped = escapeHtml(text);
  return escaped === goJson(value) ? value : new RawLeaf(escaped, value);
}

/** Returns a deep copy of a document that shares its {@linkcode RawLeaf}s. */
export function cloneWithRawLeaves<T>(value: T): T {
  if (value === null || typeof value !== "object" || value instanceof RawLeaf) return value;
  if (Array.isArray(value)) return value.map(cloneWithRawLeaves) as T;
  const copy: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    setField(copy, name, cloneWithRawLeaves(inner));
  }
  return copy as T;
}

/**
 * Replaces the {@linkcode RawLeaf}s in a document by plain values, in place; returns the document.
 */
export function withoutRawLeaves<T>(value: T): T {
  if (value instanceof RawLeaf) return value.value as T;
  if (value === null || typeof value !== "object") return value;
  const map = value as Record<string, unknown>;
  for (const key of Object.keys(map)) {
    const inner = map[key];
    if (inner === null || typeof inner !== "object") continue;
    const plain = withoutRawLeaves(inner);
    if (plain !== inner) setField(map, key, plain);
  }
  return value;
}
