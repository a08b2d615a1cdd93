import type { ResourceRow } from "./resource_row.ts";
import type { KindStrategy } from "./strategy.ts";

export type { PrinterColumn, ResourceRow, ScalePaths, Subresource, Verb } from "./resource_row.ts";

/**
 * One resource in one version: a row of the table that all of the server's machinery is generic
 * over. Rows of one group and plural share one store; the object stands there in `storageVersion`.
 */
export interface ApiResource extends ResourceRow {
  /** What is particular to this kind. An empty one: structure by the schema alone. */
  readonly strategy: KindStrategy;
}
