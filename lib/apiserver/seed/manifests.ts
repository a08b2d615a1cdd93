import { parseYaml } from "../decode/yaml.ts";
import type { ApiObject } from "@xca/apimachinery/internal/values";

/**
 * Parses manifests into Kubernetes objects: YAML documents, as kubectl parses them, or JSON. A
 * `List`, or another object with `items` whose kind ends with `List`, is replaced by its items.
 *
 * @throws {Error} If a document is not valid YAML.
 * @throws {TypeError} If a document is not a Kubernetes object; the message has its position.
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

/**
 * Parses a YAML document. A text that begins like JSON is parsed as JSON, as by kubectl, since some
 * JSON is not YAML 1.1.
 */
function parseDocument(text: string): unknown {
  if (/^\s*\{/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // A flow mapping of YAML begins like JSON.
    }
  }
  return parseYaml(text).tree;
}

/** Splits a text into YAML documents. Comments before the first separator are not a document. */
function documentsOf(text: string): string[] {
  const parts = text.split(/^---(?=\s|$)/m);
  const saysNothing = parts[0]!.split("\n").every((line) => /^\s*(#|$)/.test(line));
  return saysNothing ? parts.slice(1) : parts;
}

/**
 * Returns a parsed manifest as a Kubernetes object, unchanged.
 *
 * @throws {TypeError} Unless the manifest has `apiVersion`, `kind` and a name or `generateName`.
 * The message names the manifest by `what` and `place`, its position counted from 1.
 */
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
