import { type ObjectKey, parseKey, Pod } from "@xca/apimachinery/meta";
import { type ApiError, hasStatusCause } from "../errors/api_error.ts";
import type { DeleteOptions } from "../calls/options.ts";
import { objectPath } from "../calls/paths.ts";
import type { RestCalls } from "../calls/rest.ts";
import { expectDone } from "../typed/expected_answer.ts";
import { checkOptions, checkPreconditions } from "../typed/known_options.ts";
import { callOptions, deleteBody } from "../typed/write_body.ts";

const EVICTION = { apiVersion: "policy/v1", kind: "Eviction" } as const;

/**
 * Evicts a pod: deletes the pod if its disruption budget allows this. The client needs `create` of
 * pods/eviction.
 *
 * The client does not retry an eviction that the budget refuses. A caller that drains a node
 * repeats the eviction after some seconds, until a deadline of its own.
 *
 * @throws {DecodeError} When the response does not confirm the eviction.
 * @throws {ApiError} {@linkcode isDisruptionBudget} when the budget does not allow the eviction
 * now.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, evictPod } from "@xca/operator/client";
 *
 * const sent: string[] = [];
 * const fetch = (request: Request) => {
 *   sent.push(`${request.method} ${new URL(request.url).pathname}`);
 *   return Promise.resolve(Response.json({ kind: "Status", apiVersion: "v1", status: "Success" }));
 * };
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * await evictPod(client, "default/web-0", { gracePeriodSeconds: 10 });
 * assert.deepEqual(sent, ["POST /api/v1/namespaces/default/pods/web-0/eviction"]);
 * ```
 */
export async function evictPod(
  client: RestCalls,
  key: ObjectKey,
  options: DeleteOptions = {},
): Promise<void> {
  checkOptions("evict", Pod, options);
  checkPreconditions(Pod, options, "evict");
  const { namespace, name } = parseKey(key);
  const call = { method: "POST", path: objectPath(Pod, key, "eviction") };
  const answer = await client.requestJson({
    ...call,
    body: {
      ...EVICTION,
      metadata: { namespace, name },
      deleteOptions: deleteBody(options),
    },
    ...callOptions(options),
  });
  expectDone(answer, EVICTION, call);
}

/**
 * Reports whether a disruption budget refused an eviction for now.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ApiError, isDisruptionBudget } from "@xca/operator/client";
 *
 * const causes = [{ reason: "DisruptionBudget", message: "web needs 2 healthy pods and has 2" }];
 * const refusal: unknown = new ApiError({ status: { code: 429, details: { causes } } });
 * assert(isDisruptionBudget(refusal)); // wait some seconds, then ask again
 * ```
 */
export function isDisruptionBudget(error: unknown): error is ApiError {
  return hasStatusCause(error, "DisruptionBudget");
}
