import type { ObjectMeta, OwnerReference } from "@xca/apimachinery/meta";

/** The owners and dependents of all stored objects. Objects without owners take no memory. */
export class OwnerGraph {
  /** The owner references by key of the dependent. */
  readonly #owners = new Map<string, readonly OwnerReference[]>();
  /** The keys of dependents by uid of the owner, which need not exist. */
  readonly #dependents = new Map<string, Set<string>>();

  /** Returns the owners of an object as of its last write. */
  ownersOf(key: string): readonly OwnerReference[] {
    return this.#owners.get(key) ?? [];
  }

  /** Returns the keys of the dependents of an owner. */
  dependentsOf(uid: string): readonly string[] {
    return [...this.#dependents.get(uid) ?? []];
  }

  /** Returns the keys of the dependents that block a foreground deletion of the owner. */
  blockingDependentsOf(uid: string): readonly string[] {
    return this.dependentsOf(uid).filter((key) =>
      this.ownersOf(key).some((owner) => owner.uid === uid && owner.blockOwnerDeletion)
    );
  }

  /** Records the owners of an object; `undefined` if it is gone. */
  note(key: string, meta: ObjectMeta | undefined): void {
    for (const { uid } of this.ownersOf(key)) {
      const dependents = this.#dependents.get(uid);
      dependents?.delete(key);
      if (dependents?.size === 0) this.#dependents.delete(uid);
    }
    const owners = meta?.ownerReferences ?? [];
    if (owners.length === 0) {
      this.#owners.delete(key);
      return;
    }
    this.#owners.set(key, owners);
    for (const { uid } of owners) {
      const dependents = this.#dependents.get(uid);
      if (dependents) dependents.add(key);
      else this.#dependents.set(uid, new Set([key]));
    }
  }
}
