import type { ApiResource } from "../machinery/resource.ts";

/** The table of resources, as far as the registry asks it. */
export interface ResourceFinder {
  find(group: string, version: string, plural: string): ApiResource | undefined;
  all(): Iterable<ApiResource>;
  /** All versions in which a resource is served, the preferred one first. */
  versionsOf(group: string, plural: string): readonly ApiResource[];
  all(): Iterable<ApiResource>;
  /** All versions of all resources. */
  all(): Iterable<ApiResource>;
}
