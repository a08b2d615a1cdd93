import { parseYaml } from "../decode/yaml.ts";
import type { ApiObject } from "@xca/apimachinery/internal/values";

/**
 * The objects in a text: YAML documents, as kubectl reads them, or JSON; a `List` is its items.
 *
 * @throws {Error} When a document is no YAML.
 * @throws {TypeError} When a document is no Kubernetes object; the message names it by its place.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { parseManifests } from "@xca/apiserver";
 *
 * const [first, second] = parseManifests(`
 * {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
 * ---
 * {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: shop}}
 * `);
 * assert.equal(first?.kind, "Namespace");
 * assert.equal(second?.metadata.name, "a");
 * ```
 */
export function parseManifests(text: string): ApiObject[] {
  const objects: ApiObject[] = [];
  for (const [index, part] of documentsOf(text).entries()) {
    const document = parseDocument(part);
    if (document === null) continue;
    const { kind, items } = document as { kind?: unknown; items?: unknown };
    const isList = typeof kind === "string" && kind.endsWith("List") && Array.isArray(items);
    for (const object of isList ? items : [document]) {
      objects.push(checked(object, index + 1));
    }
  }
  return objects;
}

/** As kubectl does, what begins as JSON is read as JSON: some of it is no YAML 1.1. */
function parseDocument(text: string): unknown {
  if (/^\s*\{/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // A flow mapping of YAML begins alike.
    }
  }
  return parseYaml(text).tree;
}

/** The documents of a text; nothing stands before the first separator, or the first document. */
function documentsOf(text: string): string[] {
  const parts = text.split(/^---(?=\s|$)/m);
  const saysNothing = parts[0]!.split("\n").every((line) => /^\s*(#|$)/.test(line));
  return saysNothing ? parts.slice(1) : parts;
}

/** @throws {TypeError} When it is no Kubernetes object; the message names it by its place. */
export function checked(value: unknown, place: number, what = "document"): ApiObject {
  const object = value as Partial<ApiObject> | null;
  const missing = ["apiVersion", "kind"].find((field) => typeof object?.[field] !== "string");
  if (missing) throw new TypeError(`Cannot read ${what} ${place}: it has no ${missing}`);
  const { name, generateName } = object!.metadata ?? {};
  if (typeof name !== "string" && typeof generateName !== "string") {
    throw new TypeError(`Cannot read ${what} ${place}: its ${object!.kind} has no metadata.name`);
  }
  return object as ApiObject;
}
