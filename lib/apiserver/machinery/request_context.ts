// Mirrors `endpoints/request/requestinfo.go, RequestInfo`.
import type { RequestUser } from "@xca/apimachinery/internal/access";
import type { Work } from "@xca/apimachinery/internal/base";
import type { ResourceRow } from "./resource_row.ts";

/**
 * The context of a request: the verb, the resource and the facts about the request that all layers
 * need.
 */
export interface RequestContext<Resource extends ResourceRow = ResourceRow> {
  readonly user: RequestUser;
  /**
   * The verb of the request: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete` or
   * `deletecollection`.
   */
  readonly verb: string;
  readonly resource: Resource;
  /** The namespace of the request; empty for a cluster-scoped resource, or for all namespaces. */
  readonly namespace: string;
  /** The name of the requested object; empty if the path names none. */
  readonly name: string;
  /** The subresource of the request; empty for the object itself. */
  readonly subresource: string;
  readonly dryRun: boolean;
  /**
   * The field manager that owns the fields which the request changes; empty for a read or a
   * deletion by a client.
   */
  readonly fieldManager: string;
  /**
   * The treatment of unknown and duplicate fields in the request body: dropped silently, dropped
   * with a warning, or refused with the code 400.
   */
  readonly fieldValidation: "Ignore" | "Warn" | "Strict";
  /** The time of the request, which all its writes use as their timestamp. */
  readonly now: Date;
  /** The query parameters of the request. */
  readonly query: URLSearchParams;
  readonly signal: AbortSignal;
  /**
   * The addresses and ports that the server chose for the object of the request, as text. Until the
   * commit the server may replace them by others.
   */
  readonly chosen: Set<string>;
  /** The request as a task that shares the event loop's time with other requests. */
  readonly work: Work;
  /** Returns a new UUID from the server's random number source. */
  uid(): string;
  /** Returns the five random characters that end a generated name. */
  nameSuffix(): string;
  /** Adds a `Warning` header with a text to the response, unless it has one with the same text. */
  warn(text: string): void;
}
