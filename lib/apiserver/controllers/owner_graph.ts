// Mirrors `garbagecollector/graph_builder.go, GraphBuilder`.
import type { ObjectMeta, OwnerReference } from "@xca/apimachinery/meta";

/**
 * The owners and dependents of all stored objects, for the garbage collector. Objects without
 * owners take no memory.
 */
export class OwnerGraph {
  /** The owner references of each dependent object, by the dependent's key. */
  readonly #owners = new Map<string, readonly OwnerReference[]>();
  /**
   * The keys of the dependents of each owner, by the owner's uid: a single key, or a set of
   * several. The owner need not exist.
   */
  readonly #dependents = new Map<string, string | Set<string>>();

  /**
   * Returns the owner references that an object had in its last write; none for an unknown object.
   */
  ownersOf(key: string): readonly OwnerReference[] {
    return this.#owners.get(key) ?? [];
  }

  /**
   * Returns the keys of the objects that name an owner by this uid, whether it exists or not; an
   * empty list for none.
   */
  dependentsOf(uid: string): readonly string[] {
    const dependents = this.#dependents.get(uid) ?? [];
    return typeof dependents === "string" ? [dependents] : [...dependents];
  }

  /**
   * Returns the keys of the dependents that block a foreground deletion of the owner with this uid,
   * by `blockOwnerDeletion` of their reference.
   */
  blockingDependentsOf(uid: string): readonly string[] {
    return this.dependentsOf(uid).filter((key) =>
      this.ownersOf(key).some((owner) => owner.uid === uid && owner.blockOwnerDeletion)
    );
  }

  /**
   * Records the owner references of an object after a write; `meta` is `undefined` for a deleted
   * object, whose entry is removed.
   */
  note(key: string, meta: ObjectMeta | undefined): void {
    for (const { uid } of this.ownersOf(key)) {
      const dependents = this.#dependents.get(uid);
      if (dependents === key) this.#dependents.delete(uid);
      else if (dependents instanceof Set) {
        dependents.delete(key);
        if (dependents.size === 0) this.#dependents.delete(uid);
      }
    }
    const owners = meta?.ownerReferences ?? [];
    if (owners.length === 0) {
      this.#owners.delete(key);
      return;
    }
    this.#owners.set(key, owners);
    for (const { uid } of owners) {
      const dependents = this.#dependents.get(uid);
      if (dependents instanceof Set) dependents.add(key);
      else if (dependents === undefined) this.#dependents.set(uid, key);
      else if (dependents !== key) this.#dependents.set(uid, new Set([dependents, key]));
    }
  }
}
