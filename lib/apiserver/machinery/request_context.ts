import type { RequestUser } from "@xca/apimachinery/internal/access";
import type { Work } from "@xca/apimachinery/internal/base";
import type { ResourceRow } from "./resource_row.ts";

/** The context of one run of a verb on one resource. */
export interface RequestContext<Resource extends ResourceRow = ResourceRow> {
  readonly user: RequestUser;
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`. */
  readonly verb: string;
  readonly resource: Resource;
  /** Empty for a cluster-scoped resource, or for all namespaces. */
  readonly namespace: string;
  /** Empty if the path names no object. */
  readonly name: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly dryRun: boolean;
  /** The manager that owns changed fields. */
  readonly fieldManager: string;
  /** The treatment of unknown and duplicate fields. */
  readonly fieldValidation: "Ignore" | "Warn" | "Strict";
  /** The time of the request, with which all its writes are stamped. */
  readonly now: Date;
  /** The query of the request. */
  readonly query: URLSearchParams;
  readonly signal: AbortSignal;
  /** The request's share of the event loop's time. */
  readonly work: Work;
  /** Returns a UUID from the server's source of randomness. */
  uid(): string;
  /** Returns the five random characters that end a generated name. */
  nameSuffix(): string;
  /** Adds a `Warning` header to the answer, unless it has the same one already. */
  warn(text: string): void;
}
