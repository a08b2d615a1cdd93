import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { Registry } from "../machinery/registry.ts";

/** The API group of webhook configurations and admission policies. */
export const ADMISSION_GROUP = "admissionregistration.k8s.io";

/**
 * A cache of one value that is computed from all objects of some resources of an API group, such as
 * webhook configurations. The value is kept until one of the objects changes, since many writes
 * read it.
 */
export class Configured<T> {
  readonly #group: string;
  readonly #resources: readonly string[];
  readonly #make: (objects: readonly (readonly ApiObject[])[]) => T;
  #followed: Registry | undefined;
  #made: T | undefined;

  /**
   * Creates a cache of a value. `make` computes the value from one list of objects per resource,
   * each sorted by name.
   */
  constructor(
    group: string,
    resources: readonly string[],
    make: (objects: readonly (readonly ApiObject[])[]) => T,
  ) {
    this.#group = group;
    this.#resources = resources;
    this.#make = make;
  }

  /**
   * Returns the cached value that is computed from the current objects of the registry. The first
   * call subscribes to the registry's writes.
   */
  of(registry: Registry): T {
    if (this.#followed !== registry) {
      this.#followed = registry;
      this.#made = undefined;
      registry.subscribe(({ group, resource }) => {
        if (group === this.#group && this.#resources.includes(resource)) {
          this.#made = undefined;
        }
      });
    }
    return this.#made ??= this.#make(
      this.#resources.map((resource) =>
        [...registry.list(this.#group, resource)].sort((a, b) =>
          a.metadata.name! < b.metadata.name! ? -1 : 1
        )
      ),
    );
  }
}
