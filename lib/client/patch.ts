/** One operation of a JSON Patch (RFC 6902). */
export interface JsonPatchOperation {
  /** What to do. */
  readonly op: "add" | "remove" | "replace" | "move" | "copy" | "test";
  /** Where, as a JSON Pointer (RFC 6901). */
  readonly path: string;
  /** From where, of `move` and `copy`. */
  readonly from?: string;
  /** What, of `add`, `replace` and `test`. */
  readonly value?: unknown;
}

/** A JSON Patch (RFC 6902). */
export interface JsonPatch {
  /** Tells the kinds of patch apart. */
  readonly type: "json";
  /** What to do, in order; all of it or nothing. */
  readonly operations: readonly JsonPatchOperation[];
}

/** A JSON Merge Patch (RFC 7386): fields given are set, `null` removes, lists are replaced. */
export interface MergePatch {
  /** Tells the kinds of patch apart. */
  readonly type: "merge";
  /** The fields. */
  readonly body: unknown;
}

/** A strategic merge patch: lists merge by key. Built-in resources only. */
export interface StrategicPatch {
  /** Tells the kinds of patch apart. */
  readonly type: "strategic";
  /** The fields. */
  readonly body: unknown;
}

/** A server-side apply: the fields given become those of the field manager. */
export interface ApplyPatch {
  /** Tells the kinds of patch apart. */
  readonly type: "apply";
  /** The fields, with `apiVersion`, `kind` and `metadata.name`; without `metadata.managedFields`. */
  readonly body: unknown;
  /** On whose behalf. Apply has no default: the server demands one. */
  readonly fieldManager: string;
  /** Whether to take fields that another manager owns, instead of a conflict. @default {false} */
  readonly force?: boolean;
}

/** A change of an object. */
export type Patch = JsonPatch | MergePatch | StrategicPatch | ApplyPatch;

/**
 * A JSON Patch.
 *
 * @example
 * ```ts
 * import { jsonPatch } from "@xca/operator/client";
 *
 * const patch = jsonPatch([
 *   { op: "test", path: "/metadata/resourceVersion", value: "12" },
 *   { op: "replace", path: "/spec/replicas", value: 3 },
 * ]);
 * ```
 */
export function jsonPatch(operations: readonly JsonPatchOperation[]): JsonPatch {
  return { type: "json", operations };
}

/**
 * A JSON Merge Patch of these fields.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, mergePatch } from "@xca/operator/client";
 * import { ConfigMap } from "@xca/operator/meta";
 *
 * const sent: unknown[] = [];
 * const fetch = async (request: Request) => {
 *   sent.push(request.headers.get("content-type"), await request.json());
 *   return Response.json({ metadata: { name: "web" } });
 * };
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * await client.patch(ConfigMap, "default/web", mergePatch({ data: { old: null, colour: "blue" } }));
 * assert.deepEqual(sent, ["application/merge-patch+json", { data: { old: null, colour: "blue" } }]);
 * ```
 */
export function mergePatch(body: unknown): MergePatch {
  return { type: "merge", body };
}

/**
 * A strategic merge patch of these fields.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { strategicPatch } from "@xca/operator/client";
 *
 * // Of the containers, the one with this name gets another image; the others stay.
 * const containers = [{ name: "web", image: "web:2" }];
 * const patch = strategicPatch({ spec: { template: { spec: { containers } } } });
 * assert.equal(patch.type, "strategic");
 * ```
 */
export function strategicPatch(body: unknown): StrategicPatch {
  return { type: "strategic", body };
}

/**
 * A server-side apply of these fields.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { applyPatch, createClient } from "@xca/operator/client";
 * import { ConfigMap } from "@xca/operator/meta";
 *
 * let query = "";
 * const fetch = (request: Request) => {
 *   query = new URL(request.url).search;
 *   return Promise.resolve(Response.json({ metadata: { name: "web" } }));
 * };
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "web" }, data: { a: "1" } };
 * await client.patch(ConfigMap, "default/web", applyPatch(map, { fieldManager: "web-operator" }));
 * assert.equal(query, "?fieldManager=web-operator");
 * ```
 */
export function applyPatch(
  body: unknown,
  options: { readonly fieldManager: string; readonly force?: boolean },
): ApplyPatch {
  return { type: "apply", body, ...options };
}

/** The media type of each kind of patch. The apply body is JSON, which is YAML too. */
const CONTENT_TYPES: Readonly<Record<Patch["type"], string>> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
};

/** What a patch is on the wire. */
export function encodePatch(patch: Patch): { readonly contentType: string; readonly body: string } {
  const value = patch.type === "json" ? patch.operations : patch.body;
  return { contentType: CONTENT_TYPES[patch.type], body: JSON.stringify(value) };
}
