import type { UserInfo } from "@xca/apimachinery/internal/access";
import type { Work } from "@xca/apimachinery/internal/base";
import type { Endpoints } from "../machinery/endpoint.ts";
import type { ApiResource } from "../machinery/resource.ts";
import type { Subresource } from "../machinery/resource.ts";
import type { Negotiated } from "../request/media_types.ts";
import type { RequestInfo } from "../request/request_info.ts";
import type { Registry } from "./registry.ts";
import { RequestScope, type RequestScopeInit } from "./request_scope.ts";

/** One request of a resource, on its way to its answer. */
export interface Call {
  readonly registry: Registry;
  readonly endpoints: Endpoints;
  readonly request: Request;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  readonly resource: ApiResource;
  readonly subresource: Subresource | undefined;
  /** How to answer. */
  readonly negotiated: Negotiated;
  readonly now: Date;
  /** Its share of the event loop's time. */
  readonly work: Work;
  /** Aborts when the caller goes away or the server stops. Most calls end before anybody asks for it. */
  readonly signalOf: () => AbortSignal;
  /** Whether the caller may also create; refuses if not. */
  readonly authorizeCreate: () => void;
  /** The texts of `Warning` headers. */
  readonly warnings: Set<string>;
}

/** What a call of a verb begins with. */
export function scopeOf(
  call: Call,
  options: Partial<RequestScopeInit> = {},
): RequestScope {
  const { info, registry, resource } = call;
  return new RequestScope({
    user: call.user,
    verb: info.verb,
    resource,
    namespace: resource.namespaced ? info.namespace : "",
    name: info.name,
    subresource: info.subresource,
    dryRun: false,
    fieldManager: "",
    fieldValidation: "Warn",
    now: call.now,
    query: info.query,
    signalOf: call.signalOf,
    work: call.work,
    random: registry.random,
    warnings: call.warnings,
    ...options,
  });
}
