// Mirrors `k8s.io/apiserver/pkg/endpoints/request/requestinfo.go, NewRequestInfo`.
import { parseFieldSelector } from "@xca/apimachinery/internal/meta";
import { type Verb, verbOfMethod } from "@xca/apimachinery/internal/access";
import { asksToWatch } from "../../client/transport/asks_to_watch.ts";
import { parseApiPath } from "../../client/scoped/scoped_path.ts";
import type { Access } from "../access_need.ts";

/** The facts of an API request that determine the RBAC access it needs. */
export interface RequestLike {
  /** The HTTP method of the request, in upper case. */
  readonly method: string;
  /** The URL path of the request, without its query. */
  readonly path: string;
  /** The query parameters of the request. */
  readonly query: URLSearchParams;
}

/**
 * Returns the RBAC access that a request needs; `undefined` for a path outside of resources, or a
 * method without a verb.
 *
 * @throws {TypeError} When the field selector is malformed.
 */
export function accessOfRequest({ method, path, query }: RequestLike): Access | undefined {
  const parts = parseApiPath(path);
  if (!parts) return undefined;
  const [root, group = ""] = path.split("/").filter((each) => each !== "");
  const { namespace = "", plural, subresource, isWatch } = parts;
  const own = isWatch ? "watch" : verbOfMethod(method);
  if (own === undefined) return undefined;
  const verb = parts.name === undefined ? verbOfCollection(own, query) : own;
  // The API server takes no selector from the old form of a watch.
  const selector = isWatch ? "" : query.get("fieldSelector") ?? "";
  const name = parts.name ?? selectedName(verb, selector);
  return {
    verb,
    group: root === "apis" ? group : "",
    resource: [plural, ...subresource.slice(0, 1)].join("/"),
    namespace,
    ...(name !== undefined && { name }),
  };
}

function verbOfCollection(verb: Verb, query: URLSearchParams): Verb {
  if (verb === "delete") return "deletecollection";
  if (verb !== "get") return verb;
  return asksToWatch(query) ? "watch" : "list";
}

/**
 * Returns the value that the field selector of a list or watch requires of `metadata.name`;
 * `undefined` for other verbs and selectors.
 *
 * @throws {TypeError} When the field selector is malformed.
 */
export function selectedName(verb: string, fieldSelector = ""): string | undefined {
  if (fieldSelector === "" || (verb !== "list" && verb !== "watch")) return undefined;
  return parseFieldSelector(fieldSelector)
    .find(({ field, equal }) => field === "metadata.name" && equal)?.value;
}
