import { ignoreRejection, isInstance } from "@xca/apimachinery/internal/base";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import { keyOf, type KubeObject, type ResourceType } from "@xca/apimachinery/meta";
import { isAlreadyExists } from "../../client/errors/api_error.ts";
import type { ChildContext, ChildResult } from "./apply_child.ts";
import { ofVersion } from "./of_version.ts";

/**
 * Creates an object, or updates the existing one (pkg/controller/controllerutil/controllerutil.go,
 * CreateOrUpdate). `mutate` gets a copy of the cached object, or of the given object when the cache
 * has none, and sets the desired fields; it may be called twice. The object gets no owner reference
 * unless `mutate` sets it. No request is sent when `mutate` leaves the cached object unchanged.
 *
 * An update carries the resourceVersion of the object that `mutate` saw, and fails with a conflict
 * when the object has changed since. When an object that exists is not in the cache, the server's
 * refusal to create the object leads to a read and an update.
 *
 * `mutate` must not replace values that the server fills in, such as a whole list of containers:
 * the object would then differ on every run. {@linkcode applyChild} has no such restriction.
 *
 * @throws {TypeError} When `mutate` changes the name or the namespace, or returns a promise.
 * @throws {unknown} The error of `mutate`.
 * @throws {CacheReadError} When the controller is not for, and does not own or watch, the resource.
 * @throws {ApiError} When the server refuses a request; `isConflict` when the object has changed
 * since, `isNotFound` when an object that the server refused to create again is gone at the read.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { controllerFor, createOrUpdate, reconcileOnce } from "@xca/operator/controller";
 * import { ConfigMap, Secret } from "@xca/operator/meta";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 *
 * const outcomes: string[] = [];
 * const controller = controllerFor(ConfigMap).owns(Secret).reconcile(async (context) => {
 *   const { name, namespace } = context;
 *   const secret = { metadata: { name, namespace } };
 *   const { outcome } = await createOrUpdate(context, Secret, secret, (object) => {
 *     object.data = { ...object.data, token: "eA==" };
 *   });
 *   outcomes.push(outcome);
 * });
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * await client.create(ConfigMap, { metadata: { name: "web" } });
 * for (let run = 0; run < 2; run++) await reconcileOnce(controller, "default/web", { client });
 * assert.deepEqual(outcomes, ["created", "unchanged"]);
 * ```
 */
export async function createOrUpdate<T extends KubeObject>(
  { client, cache }: ChildContext,
  type: ResourceType<T>,
  object: T,
  mutate: (object: T) => void,
): Promise<ChildResult<T>> {
  const key = keyOf(object);
  const update = async (current: T): Promise<ChildResult<T>> => {
    const changed = mutated(type, current, mutate);
    if (jsonEqual(plain(current), plain(changed))) return { outcome: "unchanged", object: current };
    // A function that replaces all metadata leaves out the version.
    const object = await client.update(type, ofVersion(changed, current.metadata));
    return { outcome: "updated", object };
  };
  const cached = cache.get(type, key);
  if (cached) return await update(cached);
  try {
    const created = await client.create(type, mutated(type, object, mutate));
    return { outcome: "created", object: created };
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return await update(await client.get(type, key));
  }
}

/**
 * Calls the user's `mutate` on a copy of an object and returns the copy.
 *
 * @throws {TypeError} When `mutate` changes the name or the namespace, or returns a promise.
 */
function mutated<T extends KubeObject>(
  type: ResourceType<T>,
  object: T,
  mutate: (object: T) => void,
): T {
  const copy = structuredClone(object);
  const result: unknown = ignoreRejection(mutate(copy));
  if (isInstance(result, Promise)) {
    throw new TypeError(
      `Cannot change ${type.kind} ${
        keyOf(object)
      }: the function must set the fields at once, and ` +
        "returned a promise; await what it needs before createOrUpdate()",
    );
  }
  const [before, after] = [keyOf(object), keyOf(copy)];
  if (before === after) return copy;
  throw new TypeError(
    `Cannot change ${type.kind} ${before}: the function has renamed it to ${after}`,
  );
}

/** Returns the JSON form of an object, in which fields with the value `undefined` are absent. */
function plain(object: unknown): unknown {
  return JSON.parse(JSON.stringify(object));
}
