import { bodyText } from "../calls/json_values.ts";
import type { KubeObject } from "@xca/apimachinery/meta";
import type { MergeFields, PartialFields, StrategicFields } from "./patch_fields.ts";

/** A single operation of a JSON Patch (RFC 6902). */
export type JsonPatchOperation = Extract<Patch, { readonly type: "json" }>["operations"][number];

/**
 * A change of an object of type `T`: a JSON Patch (RFC 6902), a JSON Merge Patch (RFC 7386), a
 * strategic merge patch (built-in resources only), or a server-side apply.
 *
 * The compiler checks a body against `T`. The body of a `Patch` without `T`, or of one of
 * `KubeObject`, may contain anything: for resources that are known at run time only, and for
 * functions that are generic in the type of the objects.
 */
// deno-lint-ignore no-explicit-any
export type Patch<T = any> = {
  /** The discriminator of a JSON Patch (RFC 6902). */
  readonly type: "json";
  /** The operations of the JSON Patch in order; either all are carried out or none. */
  readonly operations: readonly {
    /** The name of the JSON Patch operation. */
    readonly op: "add" | "remove" | "replace" | "move" | "copy" | "test";
    /** The target of the JSON Patch operation, as a JSON Pointer (RFC 6901). */
    readonly path: string;
    /** The source of a JSON Patch operation `move` or `copy`, as a JSON Pointer. */
    readonly from?: string;
    /** The value of a JSON Patch operation `add`, `replace` or `test`. */
    readonly value?: unknown;
  }[];
} | {
  /** The discriminator of a JSON Merge Patch (RFC 7386). */
  readonly type: "merge";
  /** The fields of the JSON Merge Patch. */
  // deno-lint-ignore no-explicit-any
  readonly body: KubeObject extends T ? any : MergeFields<NoInfer<T>>;
  /** The TypeScript type of the patched objects, for type inference only; never set at run time. */
  readonly objectType?: T;
} | {
  /** The discriminator of a strategic merge patch. */
  readonly type: "strategic";
  /** The fields of the strategic merge patch. */
  // deno-lint-ignore no-explicit-any
  readonly body: KubeObject extends T ? any : StrategicFields<NoInfer<T>>;
  /** The TypeScript type of the patched objects, for type inference only; never set at run time. */
  readonly objectType?: T;
} | {
  /** The discriminator of a server-side apply patch. */
  readonly type: "apply";
  /**
   * The fields of the server-side apply, without `metadata.managedFields`. {@linkcode Client.patch}
   * adds `apiVersion`, `kind` and `metadata.name` where they are missing.
   */
  // deno-lint-ignore no-explicit-any
  readonly body: KubeObject extends T ? any : NoInfer<T> | PartialFields<NoInfer<T>>;
  /**
   * The field manager of the server-side apply.
   *
   * @default {that of the call, else the User-Agent of the client up to the first `/`}
   */
  readonly fieldManager?: string;
  /**
   * Sets whether the server-side apply takes over fields that other field managers own, instead of
   * failing with a conflict.
   *
   * @default {false}
   */
  readonly force?: boolean;
  /** The TypeScript type of the patched objects, for type inference only; never set at run time. */
  readonly objectType?: T;
};

/** A server-side apply as a patch. */
// deno-lint-ignore no-explicit-any
export type ApplyPatch<T = any> = Extract<Patch<T>, { readonly type: "apply" }>;

/**
 * Creates a JSON Patch.
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
export function jsonPatch(
  operations: Extract<Patch, { readonly type: "json" }>["operations"],
): Extract<Patch, { readonly type: "json" }> {
  return { type: "json", operations };
}

/**
 * Creates a JSON Merge Patch. As an argument of a call, the compiler checks its fields against the
 * type of the objects; elsewhere, against `T` if it is given.
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
// deno-lint-ignore no-explicit-any
export function mergePatch<T = any>(
  body: MergeFields<NoInfer<T>>,
): Extract<Patch<T>, { readonly type: "merge" }> {
  return { type: "merge", body };
}

/**
 * Creates a strategic merge patch, whose fields the compiler checks as those of {@linkcode
 * mergePatch}.
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
// deno-lint-ignore no-explicit-any
export function strategicPatch<T = any>(
  body: StrategicFields<NoInfer<T>>,
): Extract<Patch<T>, { readonly type: "strategic" }> {
  return { type: "strategic", body };
}

/**
 * Creates a server-side apply as a patch, whose fields the compiler checks as those of {@linkcode
 * mergePatch}. If the fields lack the name of the object, {@linkcode Client.patch} takes it from
 * the key. {@linkcode Client.apply} is shorter for most uses.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { applyPatch, createClient } from "@xca/operator/client";
 * import type { V1ConfigMap } from "@xca/operator/kubernetes-types";
 * import { ConfigMap } from "@xca/operator/meta";
 *
 * let query = "";
 * const fetch = (request: Request) => {
 *   query = new URL(request.url).search;
 *   return Promise.resolve(Response.json({ metadata: { name: "web" } }));
 * };
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * const patch = applyPatch<V1ConfigMap>(
 *   { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "web" }, data: { a: "1" } },
 *   { fieldManager: "web-operator" },
 * );
 * await client.patch(ConfigMap, "default/web", patch);
 * assert.equal(query, "?fieldManager=web-operator");
 * ```
 */
// deno-lint-ignore no-explicit-any
export function applyPatch<T = any>(
  body: NoInfer<T> | PartialFields<NoInfer<T>>,
  options: { readonly fieldManager?: string; readonly force?: boolean } = {},
): Extract<Patch<T>, { readonly type: "apply" }> {
  return { type: "apply", body, ...options };
}

/** The media types of patches. The body of an apply is JSON, which is YAML too. */
const CONTENT_TYPES: Readonly<Record<Patch["type"], string>> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
};

/**
 * Returns the media type and the request body of a patch.
 *
 * @throws {TypeError} When a value of the patch has no form in JSON, or is an integer beyond 2^53.
 */
export function encodePatch(patch: Patch): { readonly contentType: string; readonly body: string } {
  const value = patch.type === "json" ? patch.operations : patch.body;
  const body = bodyText(`Cannot send a ${patch.type} patch`, value);
  return { contentType: CONTENT_TYPES[patch.type], body };
}
