// Mirrors `registry/core/pod/rest/subresources.go, ProxyREST`.
import { decodePercent } from "@xca/apimachinery/internal/values";
import type { Endpoint } from "../../machinery/endpoint.ts";
import type { Registry } from "../../machinery/registry.ts";
import type { RequestContext } from "../../machinery/request_context.ts";
import { refuseDryRun } from "../connection/dry_run.ts";
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
 * @throws {StatusError} When there is no such address.
 */
type Locate = (context: RequestContext, registry: Registry) => ProxyLocation;

function proxyEndpoint(locate: Locate): Endpoint {
  return {
    async respond(request, context, registry) {
      refuseDryRun(context.query);
      const location = locate(context, registry);
      return await proxied(location, pathBehind(request, context), request);
    },
  };
}

/** The endpoint of `pods/proxy`, which forwards requests to a port of a pod. */
export const podProxy: Endpoint = proxyEndpoint(podLocation);

/** The endpoint of `services/proxy`, which forwards to one of the Service's ready endpoints. */
export const serviceProxy: Endpoint = proxyEndpoint(serviceLocation);

/**
 * The endpoint of `nodes/proxy`, which forwards to the kubelet unless the request names another
 * port.
 */
export const nodeProxy: Endpoint = proxyEndpoint(nodeLocation);

/**
 * Returns the path after the subresource in a request's path, without its escapes
 * (`endpoints/handlers/get.go`, `getRequestOptions`); empty when the request has none.
 */
function pathBehind(request: Request, { namespace }: RequestContext): string {
  const path = decodePercent(new URL(request.url).pathname);
  // `/api/v1/nodes/<name>/proxy`, or `/api/v1/namespaces/<namespace>/pods/<name>/proxy`
  const before = namespace === "" ? 5 : 7;
  const rest = path.replace(/^\/+|\/+$/g, "").split("/").slice(before).join("/");
  const slash = path.endsWith("/") ? "/" : "";
  return rest === "" ? slash : cleanPath(`/${rest}`).replace(/\/$/, "") + slash;
}
