import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { RegistryPort } from "./registry_port.ts";
import type { ResourceContext } from "./resource.ts";

/** One call of an {@linkcode Endpoint}. */
export interface EndpointCall {
  readonly context: ResourceContext;
  readonly registry: RegistryPort;
}

/**
 * What answers a path that is not plain storage: a subresource (`pods/eviction`, `deployments/scale`)
 * or a resource that stores nothing (`subjectaccessreviews`). The registry decodes bodies, checks
 * them by the schema, authorizes and encodes; a PATCH is `get`, the patch, `update`.
 */
export interface Endpoint {
  get?(call: EndpointCall): ApiObject | Promise<ApiObject>;
  create?(call: EndpointCall, body: ApiObject): ApiObject | Promise<ApiObject>;
  /** `change` makes the new object from the current one; it may throw what the caller sees. */
  update?(
    call: EndpointCall,
    change: (current: ApiObject) => ApiObject,
  ): ApiObject | Promise<ApiObject>;
  /** Answers bytes rather than an object, as a log does. */
  respond?(call: EndpointCall, request: Request): Response | Promise<Response>;
}

/** Endpoints by path: `pods/eviction.` + group, as `deployments/scale.apps`, `pods/binding.`. */
export type Endpoints = Readonly<Record<string, Endpoint>>;

/** The key of an endpoint in {@linkcode Endpoints}. */
export function endpointKey(group: string, resource: string, subresource: string): string {
  return `${resource}${subresource === "" ? "" : `/${subresource}`}.${group}`;
}
