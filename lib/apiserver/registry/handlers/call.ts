// Mirrors `endpoints/handlers/rest.go, RequestScope`.
import type { RequestUser } from "@xca/apimachinery/internal/access";
import type { Work } from "@xca/apimachinery/internal/base";
import type { AuditNotes } from "../../machinery/audit_notes.ts";
import type { Endpoints } from "../../machinery/endpoint.ts";
import type { ApiResource } from "../../machinery/resource.ts";
import type { Subresource } from "../../machinery/resource.ts";
import type { Negotiated } from "../../request/media_types.ts";
import type { RequestInfo } from "../../request/request_info.ts";
import type { RegistryCore } from "../objects/registry_core.ts";
import { VerbContext, type VerbContextInit } from "../objects/verb_context.ts";

/**
 * A record of one HTTP request for a resource: the parsed request, the user, the registry and the
 * warnings and notes that are collected.
 */
export interface Call {
  readonly registry: RegistryCore;
  readonly endpoints: Endpoints;
  readonly request: Request;
  readonly info: RequestInfo;
  readonly user: RequestUser;
  readonly resource: ApiResource;
  readonly subresource: Subresource | undefined;
  /** The negotiated form of the response body. */
  readonly negotiated: Negotiated;
  readonly now: Date;
  /** The request as a task that shares the event loop's time with other requests. */
  readonly work: Work;
  /**
   * Returns the signal of the request, which aborts when the client disconnects or the server
   * stops. It is created on demand, since most calls end without one.
   */
  readonly signalOf: () => AbortSignal;
  /**
   * Checks that the user of a PUT or PATCH may also create the object.
   *
   * @throws {StatusError} 403
   */
  readonly authorizeCreate: () => void;
  /**
   * Checks that the user of a GET which opens a connection, such as `pods/exec`, may also create
   * the connection.
   *
   * @throws {StatusError} 403
   */
  readonly authorizeConnection: () => void;
  /** The texts of the response's `Warning` headers. */
  readonly warnings: Set<string>;
  /** The facts about the request for the audit log. */
  readonly notes: AuditNotes;
}

/**
 * Returns the context in which a verb runs for a request. `options` add to or replace the fields
 * that follow from the request.
 */
export function contextOf(
  call: Call,
  options: Partial<VerbContextInit> = {},
): VerbContext {
  const { info, registry, resource } = call;
  return new VerbContext({
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
