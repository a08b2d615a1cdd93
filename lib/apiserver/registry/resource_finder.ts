import type { ApiResource } from "../machinery/resource.ts";

/** The table of resources, as far as the registry asks it. */
export interface ResourceFinder {
  all(): Iterable<ApiResource>;
  find(group: string, version: string, plural: string): ApiResource | undefined;
  /** All versions in which a resource is served, the preferred one first. */
  versionsOf(group: string, plural: string): readonly ApiResource[];
  /** All versions of all resources. */
}
