import type { KubeObject, ResourceType } from "@xca/apimachinery/meta";

import { cutText } from "../errors/message_text.ts";
import type { AdmitOptions, CallOptions, DeleteOptions, WriteOptions } from "../calls/options.ts";
import type { Patch } from "./patch.ts";
import type { QueryValue } from "../calls/rest.ts";

/**
 * Returns the options of a write that concern only its HTTP request: signal, deadline, `caller` and
 * `admit`.
 */
export function callOptions(
  { signal, timeoutMs, caller, admit }: CallOptions & AdmitOptions,
): CallOptions & AdmitOptions {
  return { signal, timeoutMs, caller, admit };
}

/** Returns the URL query parameters of a write. */
export function writeQuery(options: WriteOptions): Record<string, QueryValue> {
  const { dryRun, fieldManager, fieldValidation } = options;
  return { dryRun: dryRun ? "All" : undefined, fieldManager, fieldValidation };
}

/**
 * Returns the URL query parameters of a patch. The field manager of an apply is that of the patch,
 * else that of the call, else the one that the server derives from this client's user agent for
 * other writes.
 */
export function patchQuery(
  patch: Patch,
  options: WriteOptions,
  userAgent: string,
): Record<string, QueryValue> {
  const query = writeQuery(options);
  if (patch.type !== "apply") return query;
  const fieldManager = patch.fieldManager ?? options.fieldManager ?? managerOf(userAgent);
  return { ...query, fieldManager, force: patch.force ? true : undefined };
}

/** The longest name of a field manager that the server accepts, in bytes. */
const MAX_MANAGER_BYTES = 128;

/**
 * Returns the field manager that the server derives from a user agent (apiserver's
 * `prefixFromUserAgent`).
 */
function managerOf(userAgent: string): string {
  const [prefix = ""] = userAgent.split("/");
  let manager = "";
  for (const character of prefix.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, "")) {
    const longer = manager + character;
    if (new TextEncoder().encode(longer).byteLength > MAX_MANAGER_BYTES) break;
    manager = longer;
  }
  return manager;
}

/**
 * Returns the request body of a deletion (`DeleteOptions`); `undefined` without options of the
 * deletion itself.
 */
export function deleteBody(options: DeleteOptions): Record<string, unknown> | undefined {
  const { propagationPolicy, gracePeriodSeconds, preconditions, dryRun } = options;
  const asked = { propagationPolicy, gracePeriodSeconds, preconditions };
  if (!dryRun && Object.values(asked).every((value) => value === undefined)) return undefined;
  return {
    apiVersion: "v1",
    kind: "DeleteOptions",
    ...asked,
    ...(dryRun ? { dryRun: ["All"] } : {}),
  };
}

/**
 * Returns an object with `apiVersion` and `kind`, which items of lists lack. Returns the same
 * object if it has both, or the kind is unknown.
 */
export function withType<T extends KubeObject>(
  type: Pick<ResourceType<T>, "apiVersion" | "kind">,
  object: T,
): T {
  if (object.apiVersion && object.kind) return object;
  if (!type.kind) return object;
  return { ...object, apiVersion: type.apiVersion, kind: type.kind };
}

/**
 * Returns an object to write, with `apiVersion` and `kind`; see {@linkcode withType}.
 *
 * @throws {TypeError} When the object is of another kind or version than the resource.
 */
export function withOwnType<T extends KubeObject>(
  type: Pick<ResourceType<T>, "id" | "apiVersion" | "kind">,
  object: T,
  verb: string,
): T {
  refuseOther(type, object, verb);
  return withType(type, object);
}

/**
 * Refuses an object, or the fields of a patch, whose `apiVersion` or `kind` differs from that of
 * the resource. A resource whose kind is unknown takes every kind.
 *
 * @throws {TypeError} When the object is of another kind or version.
 */
export function refuseOther(
  type: Pick<ResourceType, "id" | "apiVersion" | "kind">,
  object: { readonly apiVersion?: unknown; readonly kind?: unknown },
  verb: string,
): void {
  for (const field of ["kind", "apiVersion"] as const) {
    const given = object[field];
    if (!given || !type[field] || given === type[field]) continue;
    throw new TypeError(
      `Cannot ${verb} ${type.id}: the ${field} of the object is ${quoted(given)}, not ` +
        `${quoted(type[field])}; use the resource of that ${field}, or leave it out`,
    );
  }
}

/** Returns a string in quotes, cut to 60 characters, or the type of another value: `a number`. */
function quoted(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(cutText(value, 60)) : `a ${typeof value}`;
}

/**
 * Returns an object to create or apply, with a namespace: its own, else the given one, else
 * `fallback`. A cluster-scoped object is returned unchanged.
 *
 * @throws {TypeError} When the object names another namespace.
 */
export function inNamespace<T extends KubeObject>(
  type: ResourceType<T>,
  object: T,
  { given, fallback }: { readonly given: string | undefined; readonly fallback: string },
): T {
  if (type.scope === "Cluster") return object;
  const own = object.metadata?.namespace;
  if (own && given && own !== given) {
    throw new TypeError(
      `Cannot create ${type.kind} in namespace ${JSON.stringify(given)}: it names namespace ` +
        `${JSON.stringify(own)} itself`,
    );
  }
  if (own) return object;
  return { ...object, metadata: { ...object.metadata, namespace: given ?? fallback } };
}

/**
 * Refuses a write of an object of which only the metadata is known, since its other fields would be
 * lost.
 *
 * @throws {TypeError} When the resource is one of `metadataOf()`.
 */
export function refuseMetadata(type: ResourceType, verb: string): void {
  if (!type.metadataOnly) return;
  throw new TypeError(
    `Cannot ${verb} ${type.id} by its metadata alone: all else would be lost; patch it, or use the ` +
      `resource itself`,
  );
}
