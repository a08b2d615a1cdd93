// Mirrors `k8s.io/apiserver/pkg/endpoints/request/requestinfo.go, NewRequestInfo`.
import { parseFieldSelector } from "@xca/apimachinery/internal/meta";
import { verbOfMethod } from "@xca/apimachinery/internal/access";
import { parseApiPath } from "../../client/scoped/scoped_path.ts";
import type { Access } from "../access_need.ts";

/** The facts of an API request that determine the RBAC access it needs. */
export interface RequestLike {
  /** The HTTP method of the request, in upper case. */
  readonly method: string;
  /** The URL path of the request, without its query. */
  readonly path: string;
  /** Reports whether the request is a watch, by its query parameter `watch`. */
  readonly isWatch: boolean;
  /** The field selector of the request; empty for none. */
  readonly fieldSelector: string;
}

/**
 * Returns the RBAC access that a request needs; `undefined` for a path outside of resources, or a
 * method without a verb.
 *
 * @throws {TypeError} When the field selector is malformed.
 */
export function accessOfRequest(
  { method, path, isWatch, fieldSelector }: RequestLike,
): Access | undefined {
  const parts = parseApiPath(path);
  const verb = verbOfMethod(method);
  if (!parts || verb === undefined) return undefined;
  const [root, group = ""] = path.split("/").filter((each) => each !== "");
  const { namespace = "", plural, subresource } = parts;
  const isNamed = parts.name !== undefined;
  const collective = isNamed || verb === "create" || verb === "update" || verb === "patch"
    ? verb
    : verb === "delete"
    ? "deletecollection"
    : isWatch
    ? "watch"
    : "list";
  const name = isNamed ? parts.name : selectedName(collective, fieldSelector);
  return {
    verb: isNamed && isWatch && verb === "get" ? "watch" : collective,
    group: root === "apis" ? group : "",
    resource: [plural, ...subresource].join("/"),
    namespace,
    ...(name !== undefined && { name }),
  };
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
