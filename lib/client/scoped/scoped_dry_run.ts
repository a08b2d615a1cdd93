import type { Client } from "../typed/client.ts";
import { bodyText } from "../calls/json_values.ts";
import { methodOf, type RestRequest } from "../calls/rest.ts";
import type { ClientCall } from "./scoped_calls.ts";
import { InterceptedClient } from "./scoped_interceptor.ts";
import { parseApiPath } from "./scoped_path.ts";

const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * The subresources that reach a node, a pod or a service, where the server cannot prevent an effect
 * of a dry run.
 */
const REACHING_THROUGH: ReadonlySet<string> = new Set(["proxy", "exec", "attach", "portforward"]);

/**
 * Returns a client whose writes are dry runs, whatever their options; reads are unchanged. Calls
 * that cannot be dry runs are refused: WebSockets, REST requests that reach a pod, node or service,
 * writes outside of resources, and deletions whose options are text or bytes. Disposing the client
 * disposes the given one.
 *
 * @throws {TypeError} From its calls, when they cannot be dry runs.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, dryRunOnly } from "@xca/operator/client";
 * import { Pod } from "@xca/operator/meta";
 *
 * const queries: string[] = [];
 * const fetch = (request: Request) => {
 *   queries.push(new URL(request.url).search);
 *   return Promise.resolve(Response.json({ metadata: { name: "web" } }));
 * };
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * const pod = { metadata: { namespace: "default", name: "web" } };
 * await dryRunOnly(client).create(Pod, pod); // as it would be stored
 * assert.deepEqual(queries, ["?dryRun=All"]);
 * ```
 */
export function dryRunOnly(client: Client): Client {
  return new InterceptedClient(client, { around: (call, next) => next(asDryRun(call)) });
}

function asDryRun(call: ClientCall): ClientCall {
  switch (call.verb) {
    case "create":
    case "update":
    case "updateStatus":
    case "patch":
    case "patchStatus":
    case "delete":
    case "deleteCollection":
      return { ...call, options: { ...call.options, dryRun: true } } as ClientCall;
    case "request":
    case "requestJson":
      return { ...call, request: requestAsDryRun(call.request) };
    case "connect":
      throw new TypeError(
        `Cannot connect to ${call.request.path}: this client makes dry runs only, and a connection ` +
          `takes effect beyond the server`,
      );
    default:
      return call;
  }
}

function requestAsDryRun(request: RestRequest): RestRequest {
  const { path, body, query } = request;
  const method = methodOf(request);
  const refuse = (why: string): never => {
    throw new TypeError(`Cannot ${method} ${path}: this client makes dry runs only, and ${why}`);
  };
  const target = parseApiPath(path);
  const part = target?.subresource[0] ?? "";
  if (REACHING_THROUGH.has(part)) refuse(`a ${part} takes effect beyond the server`);
  if (READS.has(method)) return request;
  if (!target) refuse("the path is not that of a resource");
  const dry = { ...request, query: { ...query, dryRun: "All" } };
  // The server takes the options of a deletion from the body if there is one, not from the query.
  if (method !== "DELETE" || body === undefined) return dry;
  if (typeof body !== "object" || body === null || body instanceof Uint8Array) {
    return refuse("the options of this deletion are a ready text; give them as an object");
  }
  // A method `toJSON` of the body could leave the field out.
  const options = JSON.parse(bodyText(`Cannot ${method} ${path}`, body)) as Record<string, unknown>;
  return { ...dry, body: { ...options, dryRun: ["All"] } };
}
