// Mirrors `tools/cache/store.go, MetaNamespaceKeyFunc`.
import type { DeepReadonly, KubeObject } from "./object.ts";
import type { ResourceType } from "./resource_type.ts";

/**
 * The key of an object among those of its kind: `namespace/name`, or `name` when cluster-scoped.
 * {@linkcode formatKey} builds a key, and {@linkcode parseKey} parses one.
 */
export type ObjectKey = string;

/** An object's name and, unless it is cluster-scoped, its namespace. */
export interface ObjectName {
  /** The namespace of the object; absent or empty for a cluster-scoped object. */
  readonly namespace?: string | undefined;
  /** The name of the object. */
  readonly name: string;
}

/**
 * A tombstone: the stand-in for a deleted object whose last state a watch missed, so that only its
 * key is known.
 */
export interface Tombstone {
  /** The field that marks an object as a tombstone. */
  readonly finalStateUnknown: true;
  /** The key of the deleted object. */
  readonly key: ObjectKey;
}

/**
 * A value with the key of an object in the field `key`, such as the argument of an informer's event
 * handler.
 */
export interface Keyed {
  /** The key of the object. */
  readonly key: ObjectKey;
}

/**
 * Returns the object key of a name and namespace.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { formatKey } from "@xca/apimachinery/meta";
 *
 * assert.equal(formatKey({ namespace: "default", name: "web" }), "default/web");
 * assert.equal(formatKey({ name: "node-1" }), "node-1");
 * ```
 */
export function formatKey({ namespace, name }: ObjectName): ObjectKey {
  return namespace ? `${namespace}/${name}` : name;
}

/**
 * Parses an object key into namespace and name.
 *
 * @throws {TypeError} When the key is not a string, is empty, has an empty part, or more than one
 * slash.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { parseKey } from "@xca/apimachinery/meta";
 *
 * assert.deepEqual(parseKey("default/web"), { namespace: "default", name: "web" });
 * assert.throws(() => parseKey("a/b/c"), TypeError);
 * ```
 */
export function parseKey(key: ObjectKey): ObjectName {
  // Callers without a type check may pass any value.
  if (typeof key !== "string") {
    throw new TypeError(`Cannot parse object key: it must be a string, is of type ${typeof key}`);
  }
  const parts = key.split("/");
  if (parts.length > 2 || parts.includes("")) {
    throw new TypeError(
      `Cannot parse object key as namespace/name or name: current value is ${JSON.stringify(key)}`,
    );
  }
  const [first, second] = parts as [string, string?];
  return second === undefined ? { name: first } : { namespace: first, name: second };
}

/**
 * Parses the key of an object of a given resource.
 *
 * @throws {TypeError} As {@linkcode parseKey} does; also when the key of a namespaced resource has
 * no namespace, or that of a cluster-scoped resource has one.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { Node, parseKeyOf, Pod } from "@xca/apimachinery/meta";
 *
 * assert.deepEqual(parseKeyOf(Pod, "default/web"), { namespace: "default", name: "web" });
 * assert.throws(() => parseKeyOf(Pod, "web"), TypeError);
 * assert.throws(() => parseKeyOf(Node, "default/node-1"), TypeError);
 * ```
 */
export function parseKeyOf(
  type: Pick<ResourceType, "id" | "scope">,
  key: ObjectKey,
): ObjectName {
  const parsed = parseKey(key);
  const isNamespaced = parsed.namespace !== undefined;
  if (isNamespaced === (type.scope === "Namespaced")) return parsed;
  throw new TypeError(
    `Cannot use ${JSON.stringify(key)} as a key of ${type.id}: that resource is ` +
      (isNamespaced
        ? "cluster-scoped, so its keys are names without a namespace"
        : "namespaced, so its keys are namespace/name"),
  );
}

/**
 * Returns the key of an object: `namespace/name`, or `name` when cluster-scoped. For a value
 * without metadata, returns its field `key`.
 *
 * @throws {TypeError} When the value has neither `metadata.name` nor, without metadata, a `key`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { keyOf } from "@xca/apimachinery/meta";
 *
 * assert(keyOf({ metadata: { namespace: "default", name: "web" } }) === "default/web");
 * assert(keyOf({ metadata: { name: "node-1" } }) === "node-1");
 * ```
 */
export function keyOf(object: DeepReadonly<KubeObject> | Keyed): ObjectKey {
  const metadata = (object as KubeObject).metadata;
  // A custom resource may have a field `key` of its own, so `key` counts only without metadata.
  if (!metadata && typeof (object as Keyed).key === "string") return (object as Keyed).key;
  if (!metadata?.name) {
    throw new TypeError("Cannot build the key of an object without metadata.name");
  }
  return formatKey({ namespace: metadata.namespace, name: metadata.name });
}

/**
 * Returns the key of a deleted object, from the last state of the object or from the {@linkcode
 * Tombstone} of an object whose last state a watch missed.
 *
 * @throws {TypeError} When the argument has neither `metadata.name` nor, without metadata, a `key`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { deletionKeyOf } from "@xca/apimachinery/meta";
 *
 * assert.equal(deletionKeyOf({ metadata: { namespace: "default", name: "web" } }), "default/web");
 * assert.equal(deletionKeyOf({ finalStateUnknown: true, key: "default/gone" }), "default/gone");
 * ```
 */
export function deletionKeyOf(deleted: DeepReadonly<KubeObject> | Keyed | Tombstone): ObjectKey {
  return keyOf(deleted);
}
