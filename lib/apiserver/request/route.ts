// Mirrors `endpoints/installer.go, APIInstaller.registerResourceHandlers`.
import { type Verb, verbsOfMethod } from "@xca/apimachinery/internal/access";
import type { ApiResource, Subresource } from "../machinery/resource.ts";
import {
  badRequest,
  internalError,
  methodNotAllowed,
  methodNotSupported,
  notFound,
  unknownPath,
} from "@xca/apimachinery/internal/errors";
import type { RequestInfo } from "./request_info.ts";

/** The lookups in the table of API resources that routing needs. */
export interface Routes {
  find(group: string, version: string, plural: string): ApiResource | undefined;
  /** Reports whether a resource exists but cannot be served. */
  isUnresolvable(group: string, version: string, plural: string): boolean;
  all(): Iterable<ApiResource>;
}

/** The result of {@linkcode route}: the resource and the subresource that a request addresses. */
export interface Route {
  readonly resource: ApiResource;
  /** The subresource that the request addresses; `undefined` for the object itself. */
  readonly subresource: Subresource | undefined;
}

/**
 * The error about a path that kube-apiserver's outermost router does not know; the response is
 * plain text.
 */
export class UnknownRouteError extends Error {
  override readonly name = "UnknownRouteError";
}

/**
 * Returns the resource and the subresource that a request addresses, after checking that they
 * support the method.
 * @throws {StatusError} 400, 404, 405, or 500 for a resource that exists but cannot be served
 * @throws {UnknownRouteError} If kube-apiserver's outermost router does not know the path.
 */
export function route(info: RequestInfo, routes: Routes): Route {
  const resource = routes.find(info.group, info.version, info.resource);
  if (!resource) throw unknownResource(info, routes);
  if (resource.customResourceDefinition) return customRoute(info, resource);
  if (info.verb === "proxy") throw unknownPath();
  const withNamespace = info.namespace !== "" && info.resource !== "namespaces";
  if (withNamespace && !resource.namespaced) throw unknownPath();
  const acrossNamespaces = resource.namespaced && info.namespace === "";
  if (acrossNamespaces && info.name !== "") throw unknownPath();
  const { subresource, allowed } = info.subresource === ""
    ? { subresource: undefined, allowed: verbsOf(info, resource, acrossNamespaces) }
    : subresourceOf(info, resource);
  // A proxy forwards the methods without a verb of their own too.
  const isForwarded = info.subresource === "proxy" && ["HEAD", "OPTIONS"].includes(info.method);
  if (!isForwarded) checkMethod(info, allowed);
  return { resource, subresource };
}

function unknownResource(info: RequestInfo, routes: Routes): Error {
  if (info.group === "") return unknownPath();
  if (routes.isUnresolvable(info.group, info.version, info.resource)) {
    return internalError("error resolving resource");
  }
  for (const { group, customResourceDefinition } of routes.all()) {
    if (group === info.group && !customResourceDefinition) return unknownPath();
  }
  return new UnknownRouteError();
}

/**
 * Returns the route of a request for a custom resource, or throws the errors of {@linkcode route}.
 * Custom resources have no route per path in kube-apiserver: a subresource that is not served falls
 * through to 404.
 */
function customRoute(info: RequestInfo, resource: ApiResource): Route {
  const inNamespace = info.namespace !== "";
  if (inNamespace && !resource.namespaced) throw new UnknownRouteError();
  if (resource.namespaced && !inNamespace && !["list", "watch"].includes(info.verb)) {
    throw new UnknownRouteError();
  }
  const about = { group: resource.group, resource: resource.plural };
  // A PATCH without a name is refused later, after its media type was checked.
  if (info.name === "" && info.verb === "update") {
    throw badRequest("name must be provided");
  }
  if (info.subresource === "") {
    if (!resource.verbs.includes(info.verb as Verb)) throw methodNotSupported(about, info.verb);
    return { resource, subresource: undefined };
  }
  const subresource = resource.subresources.find(({ name }) => name === info.subresource);
  if (!subresource) throw notFound(about, info.name);
  if (!subresource.verbs.includes(info.verb)) throw methodNotSupported(about, info.verb);
  return { resource, subresource };
}

/** Returns the verbs that a path supports; none if there is no such path. */
function verbsOf(
  { name, watchPath }: RequestInfo,
  { verbs }: ApiResource,
  acrossNamespaces: boolean,
): readonly string[] {
  if (watchPath) return verbs.filter((verb) => verb === "watch");
  if (name !== "") {
    return verbs.filter((verb) => ["get", "update", "patch", "delete"].includes(verb));
  }
  if (acrossNamespaces) return verbs.filter((verb) => verb === "list" || verb === "watch");
  return verbs.filter((verb) => ["list", "watch", "create", "deletecollection"].includes(verb));
}

function subresourceOf(
  info: RequestInfo,
  resource: ApiResource,
): { subresource: Subresource; allowed: readonly string[] } {
  const subresource = resource.subresources.find(({ name }) => name === info.subresource);
  if (!subresource || (info.parts.length > 3 && info.subresource !== "proxy")) throw unknownPath();
  return { subresource, allowed: subresource.verbs };
}

/**
 * Throws an error unless a path supports the HTTP method of a request.
 *
 * @throws {StatusError} 405 if another method is allowed, 404 if none is.
 */
function checkMethod({ method }: RequestInfo, allowed: readonly string[]): void {
  if (allowed.length === 0) throw unknownPath();
  if (verbsOfMethod(method).some((verb) => allowed.includes(verb))) return;
  throw methodNotAllowed();
}
