import { keyOf, type KubeObject, type ObjectKey, type ResourceType } from "@xca/apimachinery/meta";
import type { CallOptions, WriteOptions } from "../calls/options.ts";
import { objectPath } from "../calls/paths.ts";
import type { RestDoor } from "../calls/rest.ts";
import { writeQuery } from "../typed/write_body.ts";
import { expectObject } from "../typed/expected_answer.ts";

const SCALE = { apiVersion: "autoscaling/v1", kind: "Scale" } as const;

/** How many replicas a workload has and is to have, whatever its kind; `autoscaling/v1`. */
export interface Scale extends KubeObject {
  /** What is asked for. */
  spec?: {
    /** How many replicas there are to be. */
    replicas?: number;
  };
  /** What there is. */
  status?: {
    /** How many replicas there are. */
    replicas: number;
    /** Selects their pods, as text: `app=web`. */
    selector?: string;
  };
}

/**
 * Reads the scale of an object: of a Deployment, a StatefulSet, a custom resource that has one.
 *
 * @throws {ApiError} `isNotFound` also when the resource has no scale.
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
  client: RestDoor,
  type: ResourceType,
  key: ObjectKey,
  options: CallOptions = {},
): Promise<Scale> {
  const path = objectPath(type, key, "scale");
  return expectObject<Scale>(await client.requestJson({ ...options, path }), SCALE, { path });
}

/**
 * Sets the scale of the object that the scale is named after. With its `metadata.resourceVersion`,
 * as read, only if the object has not changed since.
 *
 * @throws {ApiError} `isConflict` when it has.
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
  client: RestDoor,
  type: ResourceType,
  scale: Scale,
  options: WriteOptions = {},
): Promise<Scale> {
  const { signal, timeoutMs } = options;
  const call = { method: "PUT", path: objectPath(type, keyOf(scale), "scale") };
  const answer = await client.requestJson({
    ...call,
    query: writeQuery(options),
    body: { ...scale, ...SCALE },
    signal,
    timeoutMs,
  });
  return expectObject<Scale>(answer, SCALE, call);
}
