import { verbOfMethod } from "@xca/apimachinery/internal/access";

/**
 * The verb, resource and object of a request to an API server, from its method and URL, as
 * {@linkcode callFacts} returns them and a {@linkcode CallFilter} reads them.
 */
export interface CallFacts {
  /**
   * The verb of the request: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`,
   * `deletecollection`, or the HTTP method in lower case for a path that is not a resource's and
   * for other methods.
   */
  readonly verb: string;
  /**
   * The API group of the request; empty for the core group, and for a path that is not a
   * resource's.
   */
  readonly group: string;
  /** The plural of the requested resource; empty for a path that is not a resource's. */
  readonly resource: string;
  /** The subresource of the request, such as `status`; empty for the object itself. */
  readonly subresource: string;
  /**
   * The namespace of the request; empty for a cluster-scoped resource (a Namespace included), or
   * for all namespaces.
   */
  readonly namespace: string;
  /** The name of the requested object; empty when the path has none. */
  readonly name: string;
  /** The URL path of the request, still percent-encoded, without the query. */
  readonly path: string;
}

/**
 * Returns the verb, resource and object of a request to an API server, from its method and URL
 * alone.
 */
export function callFacts(request: Request): CallFacts {
  const { pathname: path, searchParams } = new URL(request.url);
  const parts = path.split("/").filter((part) => part !== "").map(decodeURIComponent);
  const [prefix] = parts;
  const isResource = prefix === "api" && parts.length > 2 || prefix === "apis" && parts.length > 3;
  const none = { group: "", resource: "", subresource: "", namespace: "", name: "", path };
  if (!isResource) return { ...none, verb: request.method.toLowerCase() };
  const group = prefix === "apis" ? parts[1]! : "";
  const rest = parts.slice(prefix === "apis" ? 3 : 2);
  const inNamespace = rest[0] === "namespaces" && rest.length > 2 &&
    !["status", "finalize"].includes(rest[2]!);
  const namespace = inNamespace ? rest[1]! : "";
  const [resource = "", name = "", subresource = ""] = inNamespace ? rest.slice(2) : rest;
  const watches = ["true", "1"].includes(searchParams.get("watch") ?? "");
  return {
    verb: verbOf(request.method, name, watches),
    group,
    resource,
    subresource,
    namespace,
    name,
    path,
  };
}

function verbOf(method: string, name: string, watches: boolean): string {
  if (method === "GET" && name === "") return watches ? "watch" : "list";
  if (method === "DELETE" && name === "") return "deletecollection";
  return verbOfMethod(method) ?? method.toLowerCase();
}
