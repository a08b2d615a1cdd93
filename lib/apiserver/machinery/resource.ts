// Mirrors `endpoints/handlers/rest.go, RequestScope`.
import type { ResourceRow } from "./resource_row.ts";
import type { KindStrategy } from "./strategy.ts";

export type { PrinterColumn, ResourceRow, Subresource } from "./resource_row.ts";

/**
 * An API resource in one version: a row of the table that the generic code works on. Rows of one
 * group and plural share a collection, in which objects are stored in `storageVersion`.
 */
export interface ApiResource extends ResourceRow {
  /**
   * The strategy with the rules of the resource's kind. An empty strategy validates the structure
   * only.
   */
  readonly strategy: KindStrategy;
}
