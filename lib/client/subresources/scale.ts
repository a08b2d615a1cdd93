import { keyOf, type KubeObject, type ObjectKey, type ResourceType } from "@xca/apimachinery/meta";
import type { CallOptions, WriteOptions } from "../calls/options.ts";
import { objectPath } from "../calls/paths.ts";
import type { RestCalls } from "../calls/rest.ts";
import { checkOptions } from "../typed/known_options.ts";
import { callOptions, writeQuery } from "../typed/write_body.ts";
import { expectObject } from "../typed/expected_answer.ts";

const SCALE = { apiVersion: "autoscaling/v1", kind: "Scale" } as const;

/** The desired and the actual number of replicas of a workload of any kind (`autoscaling/v1`). */
export interface Scale extends KubeObject {
  /** The desired state of the workload's scale. */
  spec?: {
    /** The desired number of replicas of the workload; absent for 0. */
    replicas?: number;
  };
  /** The actual state of the workload's scale. */
  status?: {
    /** The observed number of replicas of the workload. */
    replicas: number;
    /** The label selector of the workload's pods, as text: `app=web`. */
    selector?: string;
  };
}

/**
 * Returns the scale of a Deployment, a StatefulSet or any other object with the subresource
 * `scale`.
 *
 * @throws {ApiError} `isNotFound` also when the resource has no scale.
 * @throws {DecodeError} When the response is not a `Scale`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, getScale } from "@xca/operator/client";
 * import { Deployment } from "@xca/operator/meta";
 *
 * const fetch = () => Promise.resolve(Response.json({ metadata: { name: "web" }, spec: { replicas: 2 }, status: { replicas: 1 } }));
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * const scale = await getScale(client, Deployment, "default/web");
 * assert.deepEqual([scale.spec?.replicas, scale.status?.replicas], [2, 1]);
 * ```
 */
export async function getScale(
  client: RestCalls,
  type: ResourceType,
  key: ObjectKey,
  options: CallOptions = {},
): Promise<Scale> {
  const path = objectPath(type, key, "scale");
  return expectObject<Scale>(await client.requestJson({ ...options, path }), SCALE, { path });
}

/**
 * Replaces the scale of a workload (the `scale` subresource of the object of the same name).
 * Returns the scale after the update. With `metadata.resourceVersion`, the server replaces the
 * scale only if the object has not changed since that version.
 *
 * @throws {ApiError} `isConflict` when the object has changed.
 * @throws {DecodeError} When the response is not a `Scale`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, getScale, updateScale } from "@xca/operator/client";
 * import { Deployment } from "@xca/operator/meta";
 *
 * let stored: unknown = { metadata: { namespace: "default", name: "web" }, spec: { replicas: 2 } };
 * const fetch = async (request: Request) => {
 *   if (request.method === "PUT") stored = await request.json();
 *   return Response.json(stored);
 * };
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * const scale = await getScale(client, Deployment, "default/web");
 * scale.spec = { replicas: 3 };
 * assert.equal((await updateScale(client, Deployment, scale)).spec?.replicas, 3);
 * ```
 */
export async function updateScale(
  client: RestCalls,
  type: ResourceType,
  scale: Scale,
  options: WriteOptions = {},
): Promise<Scale> {
  checkOptions("update the scale of", type, options);
  const call = { method: "PUT", path: objectPath(type, keyOf(scale), "scale") };
  const answer = await client.requestJson({
    ...call,
    query: writeQuery(options),
    body: { ...scale, ...SCALE },
    ...callOptions(options),
  });
  return expectObject<Scale>(answer, SCALE, call);
}
