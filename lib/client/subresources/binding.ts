import { type ObjectKey, parseKey, Pod } from "@xca/apimachinery/meta";
import type { WriteOptions } from "../calls/options.ts";
import { objectPath } from "../calls/paths.ts";
import type { RestCalls } from "../calls/rest.ts";
import { expectDone } from "../typed/expected_answer.ts";
import { checkOptions } from "../typed/known_options.ts";
import { callOptions, writeQuery } from "../typed/write_body.ts";

const BINDING = { apiVersion: "v1", kind: "Binding" } as const;

/**
 * Assigns a pod to a node, as a scheduler does. The client needs `create` of pods/binding.
 *
 * @throws {DecodeError} When the response does not confirm the assignment.
 * @throws {ApiError} `isConflict` when the pod is assigned already, or has another UID than `uid`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { bindPod, createClient } from "@xca/operator/client";
 *
 * const sent: string[] = [];
 * const fetch = async (request: Request) => {
 *   sent.push(new URL(request.url).pathname, (await request.json()).target.name);
 *   return Response.json({ kind: "Status", apiVersion: "v1", status: "Success" });
 * };
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * await bindPod(client, "default/web-0", "node-1");
 * assert.deepEqual(sent, ["/api/v1/namespaces/default/pods/web-0/binding", "node-1"]);
 * ```
 */
export async function bindPod(
  client: RestCalls,
  key: ObjectKey,
  node: string,
  options: WriteOptions & {
    /** The UID that the pod must have to be assigned to the node. @default any */
    readonly uid?: string | undefined;
  } = {},
): Promise<void> {
  checkOptions("bind", Pod, options);
  const call = { method: "POST", path: objectPath(Pod, key, "binding") };
  const answer = await client.requestJson({
    ...call,
    query: writeQuery(options),
    body: {
      ...BINDING,
      metadata: { ...parseKey(key), uid: options.uid },
      target: { apiVersion: "v1", kind: "Node", name: node },
    },
    ...callOptions(options),
  });
  expectDone(answer, BINDING, call);
}
