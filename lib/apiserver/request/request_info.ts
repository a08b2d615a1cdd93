// Mirrors `endpoints/request/requestinfo.go, RequestInfoFactory.NewRequestInfo`.
import { verbOfMethod } from "@xca/apimachinery/internal/access";
import type { AccessAttributes } from "@xca/apimachinery/internal/access";
import { booleanParameter, decodePercent } from "@xca/apimachinery/internal/values";

/**
 * The resource and verb that the path and method of a request address, before the table of
 * resources is consulted (`request.RequestInfo`).
 */
export interface RequestInfo extends Omit<AccessAttributes, "user"> {
  /** The HTTP method of the request. */
  readonly method: string;
  readonly query: URLSearchParams;
  /**
   * The segments of the request's path from the resource on; empty for a path without a resource.
   */
  readonly parts: readonly string[];
  /** Reports whether the request's path has the deprecated form `/api/v1/watch/...`. */
  readonly watchPath: boolean;
}

const NAMESPACE_SUBRESOURCES = new Set(["status", "finalize"]);
/**
 * Returns what the path and method of a request address, as kube-apiserver does. A path without a
 * resource has the method in lower case as its verb (`request/requestinfo.go,
 * RequestInfoFactory.NewRequestInfo`).
 */
export function requestInfo(method: string, url: URL): RequestInfo {
  const { pathname, searchParams } = url;
  const path = decodePercent(pathname);
  const info = {
    method,
    path,
    query: searchParams,
    verb: method.toLowerCase(),
    isResource: false,
    group: "",
    version: "",
    resource: "",
    subresource: "",
    namespace: "",
    name: "",
    parts: [] as readonly string[],
    watchPath: false,
  };
  let parts = path.replace(/^\/+|\/+$/g, "").split("/");
  const [prefix] = parts;
  if (parts.length < 3 || (prefix !== "api" && prefix !== "apis")) return info;
  parts = parts.slice(1);
  if (prefix === "apis") {
    if (parts.length < 3) return info;
    info.group = parts[0]!;
    parts = parts.slice(1);
  }
  info.isResource = true;
  info.version = parts[0]!;
  parts = parts.slice(1);
  if (parts[0] === "watch" || parts[0] === "proxy") {
    info.verb = parts[0];
    if (parts.length < 2) return info;
    info.watchPath = parts[0] === "watch";
    parts = parts.slice(1);
  } else {
    info.verb = verbOfMethod(method) ?? "";
  }
  if (parts[0] === "namespaces" && parts.length > 1) {
    info.namespace = parts[1]!;
    if (parts.length > 2 && !NAMESPACE_SUBRESOURCES.has(parts[2]!)) parts = parts.slice(2);
  }
  info.parts = parts;
  info.resource = parts[0]!;
  info.name = parts[1] ?? "";
  if (!info.watchPath) info.subresource = parts[2] ?? "";
  if (info.name === "" && info.verb === "get") {
    info.verb = booleanParameter(searchParams, "watch") ? "watch" : "list";
  }
  if (info.name === "" && info.verb === "delete") info.verb = "deletecollection";
  return info;
}
