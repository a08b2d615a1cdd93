import type { ApiResource } from "../machinery/resource.ts";
import { FieldManager } from "./field_manager.ts";
import type { VersionFinder } from "./versioned_types.ts";

/**
 * A table of the {@linkcode FieldManager}s of an API server, which maintain
 * `metadata.managedFields`: one for each endpoint, created at its first use.
 */
export class FieldManagers {
  readonly #find: (resource: ApiResource) => VersionFinder;
  readonly #managers = new WeakMap<ApiResource, Map<string, FieldManager>>();

  /**
   * Creates the table of an API server's {@linkcode FieldManager}s, empty at first. `find` returns
   * a function that finds a resource in other API versions.
   */
  constructor(find: (resource: ApiResource) => VersionFinder) {
    this.#find = find;
  }

  /**
   * Returns the {@linkcode FieldManager} of a resource's endpoint or of one of its subresources.
   */
  of(resource: ApiResource, subresource = ""): FieldManager {
    let managers = this.#managers.get(resource);
    if (managers === undefined) this.#managers.set(resource, managers = new Map());
    let manager = managers.get(subresource);
    if (manager === undefined) {
      manager = new FieldManager(resource, subresource, this.#find(resource));
      managers.set(subresource, manager);
    }
    return manager;
  }
}
