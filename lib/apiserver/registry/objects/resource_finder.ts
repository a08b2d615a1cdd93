import type { ApiResource } from "../../machinery/resource.ts";

/** The lookups in the table of resources that the registry needs. */
export interface ResourceFinder {
  /** Yields all resources in each of their API versions. */
  all(): Iterable<ApiResource>;
  find(group: string, version: string, plural: string): ApiResource | undefined;
  /**
   * Returns all API versions in which a resource is served, the preferred one first; an empty list
   * if none is.
   */
  versionsOf(group: string, plural: string): readonly ApiResource[];
}
