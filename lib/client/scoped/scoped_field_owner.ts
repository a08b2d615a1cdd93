import type { Client } from "../typed/client.ts";
import { methodOf } from "../calls/rest.ts";
import type { ClientCall } from "./scoped_calls.ts";
import { InterceptedClient } from "./scoped_interceptor.ts";
import { parseApiPath } from "./scoped_path.ts";

const WRITES: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/**
 * Returns a client whose writes (create, update, patch, apply) name the given field manager. A
 * write whose options, or whose apply patch, name another field manager keeps that manager. REST
 * requests with POST, PUT and PATCH to resources get the parameter `fieldManager`, unless they have
 * it. Disposing the returned client disposes the given one.
 *
 * @throws {TypeError} When the name is empty or longer than 128 bytes, the limit of the server.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, withFieldOwner } from "@xca/operator/client";
 * import { Pod } from "@xca/operator/meta";
 *
 * const queries: string[] = [];
 * const fetch = (request: Request) => {
 *   queries.push(new URL(request.url).search);
 *   return Promise.resolve(Response.json({ metadata: { name: "web" } }));
 * };
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * const owned = withFieldOwner(client, "web-operator");
 * await owned.create(Pod, { metadata: { namespace: "default", name: "web" } });
 * assert.deepEqual(queries, ["?fieldManager=web-operator"]);
 * ```
 */
export function withFieldOwner(client: Client, fieldManager: string): Client {
  if (fieldManager === "" || new TextEncoder().encode(fieldManager).byteLength > 128) {
    throw new TypeError(
      `Cannot write as field manager ${
        JSON.stringify(fieldManager)
      }: its name must have 1 to 128 bytes`,
    );
  }
  return new InterceptedClient(client, {
    around: (call, next) => next(withOwner(call, fieldManager)),
  });
}

function withOwner(call: ClientCall, fieldManager: string): ClientCall {
  switch (call.verb) {
    case "create":
    case "update":
    case "updateStatus":
    case "patch":
    case "patchStatus": {
      const { options } = call;
      const own = options.fieldManager ?? fieldManager;
      return { ...call, options: { ...options, fieldManager: own } } as ClientCall;
    }
    case "request":
    case "requestJson": {
      const { path, query } = call.request;
      if (!WRITES.has(methodOf(call.request)) || !parseApiPath(path) || query?.["fieldManager"]) {
        return call;
      }
      return { ...call, request: { ...call.request, query: { ...query, fieldManager } } };
    }
    default:
      return call;
  }
}
