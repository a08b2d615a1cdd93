import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { Registry } from "../machinery/registry.ts";

/** The API group of all configuration of admission. */
const ADMISSION_GROUP = "admissionregistration.k8s.io";

/**
 * A value computed from the objects of some resources of admission's group. It is cached until one
 * of the objects changes, since every write asks for it.
 */
export class Configured<T> {
  readonly #resources: readonly string[];
  readonly #make: (objects: readonly (readonly ApiObject[])[]) => T;
  #followed: Registry | undefined;
  #made: T | undefined;

  /** Creates the value. `make` receives the objects of each resource, sorted by name. */
  constructor(
    resources: readonly string[],
    make: (objects: readonly (readonly ApiObject[])[]) => T,
  ) {
    this.#resources = resources;
    this.#make = make;
  }

  /** Returns the value for the current objects. */
  of(registry: Registry): T {
    if (this.#followed !== registry) {
      this.#followed = registry;
      this.#made = undefined;
      registry.subscribe(({ group, resource }) => {
        if (group === ADMISSION_GROUP && this.#resources.includes(resource)) {
          this.#made = undefined;
        }
      });
    }
    return this.#made ??= this.#make(
      this.#resources.map((resource) =>
        [...registry.list(ADMISSION_GROUP, resource)].sort((a, b) =>
          a.metadata.name! < b.metadata.name! ? -1 : 1
        )
      ),
    );
  }
}
