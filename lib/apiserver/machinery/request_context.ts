import type { RequestUser } from "@xca/apimachinery/internal/access";
import type { Work } from "@xca/apimachinery/internal/base";
import type { ResourceRow } from "./resource_row.ts";

/** What one call of a verb on one resource carries through all of the machinery. */
export interface RequestContext<Resource extends ResourceRow = ResourceRow> {
  readonly user: RequestUser;
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`. */
  readonly verb: string;
  readonly resource: Resource;
  /** Empty for a cluster-scoped resource, or for all namespaces. */
  readonly namespace: string;
  /** Empty where the path names no object. */
  readonly name: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly dryRun: boolean;
  /** The name under which changed fields are owned. */
  readonly fieldManager: string;
  /** What is done about unknown and duplicate fields. */
  readonly fieldValidation: "Ignore" | "Warn" | "Strict";
  /** The time of this request: one for all it writes. */
  readonly now: Date;
  /** The raw query. */
  readonly query: URLSearchParams;
  readonly signal: AbortSignal;
  /** The request's share of the event loop's time. */
  readonly work: Work;
  /** A UUID from the server's chance. */
  uid(): string;
  /** The five characters that end a generated name (no vowels, none that look alike). */
  nameSuffix(): string;
  /** Adds a `Warning` header to the answer. The same text is sent once. */
  warn(text: string): void;
}
