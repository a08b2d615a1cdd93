import {
  formatKey,
  isDnsLabel,
  type KubeObject,
  type ObjectKey,
  parseKey,
  type ResourceType,
} from "@xca/apimachinery/meta";
import type { Client } from "../typed/client.ts";
import type { RestRequest } from "../calls/rest.ts";
import { hideSecrets } from "../config/redact.ts";
import type { ClientCall } from "./scoped_calls.ts";
import { InterceptedClient } from "./scoped_interceptor.ts";
import { parseApiPath } from "./scoped_path.ts";

/**
 * Returns a client limited to one namespace: calls without a namespace use that namespace, and the
 * client refuses calls with another namespace.
 *
 * - Keys may leave the namespace out; lists, watches and caches are of this namespace only.
 * - Calls for cluster-scoped resources are unchanged.
 * - REST requests and WebSockets with a path in another namespace are refused. Requests whose path
 *   has no namespace are unchanged, since a path does not distinguish a cluster-scoped resource
 *   from a list over all namespaces.
 *
 * The limit guards against mistakes of the program; the server decides on permissions. Disposing
 * the returned client disposes the given one.
 *
 * @throws {TypeError} When the namespace is invalid. The client's calls reject with a TypeError
 * when they name another namespace.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, inNamespace } from "@xca/operator/client";
 * import { ConfigMap } from "@xca/operator/meta";
 *
 * using client = inNamespace(
 *   createClient({ server: "https://api.example.org" }, {
 *     fetch: () => Promise.resolve(Response.json({ metadata: { name: "a" } })),
 *   }),
 *   "team",
 * );
 * await client.get(ConfigMap, "a"); // team/a
 * await client.get(ConfigMap, "other/a").catch((error) => assert(error instanceof TypeError));
 * ```
 */
export function inNamespace(client: Client, namespace: string): Client {
  const bound = new BoundNamespace(namespace);
  return new InterceptedClient(
    client,
    { around: (call, next) => next(bound.bind(call)) },
    hideSecrets({ ...client.config, namespace }),
  );
}

class BoundNamespace {
  readonly #namespace: string;

  constructor(namespace: string) {
    if (!isDnsLabel(namespace)) {
      throw new TypeError(
        `Cannot bind a client to namespace ${JSON.stringify(namespace)}: it must be a DNS label ` +
          `(lower-case letters, digits and "-", at most 63)`,
      );
    }
    this.#namespace = namespace;
  }

  bind(call: ClientCall): ClientCall {
    switch (call.verb) {
      case "get":
      case "patch":
      case "patchStatus":
      case "delete":
        return { ...call, key: this.#key(call.type, call.key, call.verb) };
      case "update":
      case "updateStatus":
        return { ...call, object: this.#object(call.type, call.object, call.verb) };
      case "create": {
        if (call.type.scope === "Cluster") return call;
        const namespace = this.#own(call.type, call.options.namespace, call.verb);
        const object = this.#object(call.type, call.object, call.verb);
        return { ...call, object, options: { ...call.options, namespace } };
      }
      case "request":
      case "requestJson":
        this.#checkPath(call.request);
        return call;
      case "connect":
        this.#checkPath({ ...call.request, method: "CONNECT" });
        return call;
      default: {
        if (call.type.scope === "Cluster") return call;
        const namespace = this.#own(call.type, call.options.namespace, call.verb);
        return { ...call, options: { ...call.options, namespace } } as ClientCall;
      }
    }
  }

  #key(type: ResourceType, key: ObjectKey, verb: string): ObjectKey {
    if (type.scope === "Cluster") return key;
    const { namespace, name } = parseKey(key);
    return formatKey({ namespace: this.#own(type, namespace, verb, name), name });
  }

  #object(type: ResourceType, object: KubeObject, verb: string): KubeObject {
    if (type.scope === "Cluster") return object;
    const given = object.metadata?.namespace;
    const namespace = this.#own(type, given, verb, object.metadata?.name);
    return given ? object : { ...object, metadata: { ...object.metadata, namespace } };
  }

  #own(type: ResourceType, given: string | undefined, verb: string, name?: string): string {
    if (!given || given === this.#namespace) return this.#namespace;
    throw this.#refusal(`${verb} ${type.id}${name ? ` ${JSON.stringify(name)}` : ""}`, given);
  }

  #checkPath({ method = "GET", path }: Pick<RestRequest, "method" | "path">): void {
    const namespace = parseApiPath(path)?.namespace;
    if (namespace === undefined || namespace === this.#namespace) return;
    throw this.#refusal(`${method} ${path}`, namespace);
  }

  #refusal(what: string, namespace: string): TypeError {
    return new TypeError(
      `Cannot ${what} in namespace ${
        JSON.stringify(namespace)
      }: this client is bound to namespace ` +
        `${JSON.stringify(this.#namespace)}; use the client that it was made from`,
    );
  }
}
