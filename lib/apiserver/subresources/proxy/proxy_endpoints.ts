// Mirrors `registry/core/pod/rest/subresources.go, ProxyREST`.
import { decodePercent } from "@xca/apimachinery/internal/values";
import type { Connecter, ConnectOptions, Endpoint } from "../../machinery/endpoint.ts";
import type { Registry } from "../../machinery/registry.ts";
import type { RequestContext } from "../../machinery/request_context.ts";
import {
  nodeLocation,
  podLocation,
  type ProxyLocation,
  serviceLocation,
} from "./proxy_location.ts";
import { proxied } from "./proxied.ts";
import { cleanPath } from "./rewrite_url.ts";

/**
 * A function that returns the address to which a proxy request is forwarded.
 *
 * @throws {StatusError} If the name of the request is invalid, or there is no address that requests
 * may be forwarded to.
 */
type Locate = (context: RequestContext, registry: Registry) => ProxyLocation;

/** The options of a proxy request, such as `PodProxyOptions`. */
interface ProxyOptions extends ConnectOptions {
  /** The path behind the proxy, without escapes; absent for none. */
  readonly path?: string;
}

/** Returns the endpoint of the subresource `proxy` of a resource whose options have a given kind. */
function proxyEndpoint(kind: string, locate: Locate): Endpoint {
  const connecter: Connecter<ProxyOptions> = {
    options(request, context) {
      const path = pathBehind(request, context);
      return { kind, apiVersion: "v1", ...(path !== "" && { path }) };
    },
    async connect({ path = "" }, request, context, registry) {
      return await proxied(locate(context, registry), joinedPath(path), request);
    },
  };
  return { connecter };
}

/** The endpoint of `pods/proxy`, which forwards requests to a port of a pod. */
export const podProxy: Endpoint = proxyEndpoint("PodProxyOptions", podLocation);

/** The endpoint of `services/proxy`, which forwards to one of the Service's ready endpoints. */
export const serviceProxy: Endpoint = proxyEndpoint("ServiceProxyOptions", serviceLocation);

/**
 * The endpoint of `nodes/proxy`, which forwards to the kubelet unless the request names another
 * port.
 */
export const nodeProxy: Endpoint = proxyEndpoint("NodeProxyOptions", nodeLocation);

/**
 * Returns the path after the subresource in a request's path, without its escapes
 * (`endpoints/handlers/get.go`, `getRequestOptions`); empty when the request has none.
 */
function pathBehind(request: Request, { namespace }: RequestContext): string {
  const path = decodePercent(new URL(request.url).pathname);
  // `/api/v1/nodes/<name>/proxy`, or `/api/v1/namespaces/<namespace>/pods/<name>/proxy`
  const before = namespace === "" ? 5 : 7;
  const rest = path.replace(/^\/+|\/+$/g, "").split("/").slice(before).join("/");
  const whole = rest === "" || rest.startsWith("/") ? rest : `/${rest}`;
  return path.endsWith("/") && !whole.endsWith("/") ? `${whole}/` : whole;
}

/**
 * Returns the path of the forwarded request, without empty and dot segments
 * (`util/net/http.go`, `JoinPreservingTrailingSlash`).
 */
function joinedPath(path: string): string {
  if (path === "") return "";
  const slash = path.endsWith("/") ? "/" : "";
  return cleanPath(`/${path}`).replace(/\/$/, "") + slash;
}
