// Mirrors `registry/rest/rest.go, NamedCreater`.
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { Registry } from "./registry.ts";
import type { RequestContext } from "./request_context.ts";
import type { ApiResource } from "./resource.ts";

type Context = RequestContext<ApiResource>;

/**
 * An endpoint of the API server that is not plain storage: a subresource (`pods/eviction`,
 * `deployments/scale`) or a resource that stores nothing (`subjectaccessreviews`). The caller
 * authorizes, decodes, checks and encodes; a PATCH is applied by `update`.
 */
export interface Endpoint {
  get?(context: Context, registry: Registry): ApiObject | Promise<ApiObject>;
  create?(body: ApiObject, context: Context, registry: Registry): ApiObject | Promise<ApiObject>;
  /**
   * Writes the object that `change` returns for the endpoint's current one. `change` may throw a
   * StatusError.
   */
  update?(
    change: (current: ApiObject) => ApiObject,
    context: Context,
    registry: Registry,
  ): ApiObject | Promise<ApiObject>;
  /** Returns a response that is not an encoded object, such as a log or an upgraded connection. */
  respond?(request: Request, context: Context, registry: Registry): Response | Promise<Response>;
}

/**
 * The endpoints that are not plain storage, by their keys, such as `deployments/scale.apps` or
 * `pods/binding.`.
 */
export type Endpoints = Readonly<Record<string, Endpoint>>;

/** Returns the key of an API endpoint in {@linkcode Endpoints}, such as `pods/binding.`. */
export function endpointKey(group: string, resource: string, subresource: string): string {
  return `${resource}${subresource === "" ? "" : `/${subresource}`}.${group}`;
}
