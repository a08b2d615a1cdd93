import type { ApiObject, GroupResource } from "@xca/apimachinery/internal/values";
import type { Registry, StoredChange } from "../machinery/registry.ts";

/**
 * A cache of one value per namespace, which is computed from the namespace's objects of one
 * resource, or from the Namespace object itself. A value is computed again only when one of these
 * objects changes, so that a write in a namespace without such objects costs one map lookup.
 */
export class ByNamespace<T> {
  readonly #of: GroupResource;
  readonly #make: (objects: readonly ApiObject[]) => T | undefined;
  #followed: Registry | undefined;
  readonly #made = new Map<string, T>();

  /**
   * Creates a cache of values per namespace. `make` computes the value of a namespace from the
   * objects of the resource `of` in it; `make` returns `undefined` if the objects have no effect.
   */
  constructor(of: GroupResource, make: (objects: readonly ApiObject[]) => T | undefined) {
    this.#of = of;
    this.#make = make;
  }

  /**
   * Returns the cached value of a namespace, which is computed from the namespace's current
   * objects; `undefined` if there are none, or they have no effect. The first call subscribes to
   * the registry's writes.
   */
  of(registry: Registry, namespace: string): T | undefined {
    if (this.#followed !== registry) this.#follow(registry);
    return this.#made.get(namespace);
  }

  #follow(registry: Registry): void {
    this.#followed = registry;
    this.#made.clear();
    const all = Map.groupBy(
      registry.list(this.#of.group, this.#of.resource),
      ({ metadata }) => metadata.namespace ?? metadata.name!,
    );
    for (const [namespace, objects] of all) this.#keep(namespace, objects);
    registry.subscribe((change) => {
      if (change.resource === this.#of.resource && change.group === this.#of.group) {
        this.#renew(registry, change);
      }
    });
  }

  #renew(registry: Registry, { namespace, name }: StoredChange): void {
    const { group, resource } = this.#of;
    if (namespace !== "") {
      this.#keep(namespace, [...registry.list(group, resource, namespace)]);
      return;
    }
    const object = registry.get(group, resource, "", name);
    this.#keep(name, object ? [object] : []);
  }

  #keep(namespace: string, objects: readonly ApiObject[]): void {
    const made = objects.length > 0 ? this.#make(objects) : undefined;
    if (made === undefined) this.#made.delete(namespace);
    else this.#made.set(namespace, made);
  }
}
