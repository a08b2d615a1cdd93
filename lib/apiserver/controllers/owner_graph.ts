import type { ObjectMeta, OwnerReference } from "@xca/apimachinery/meta";

/** Who owns whom, by the references of all stored objects. Objects that own nothing cost nothing. */
export class OwnerGraph {
  /** By the key of the owned object. */
  readonly #owners = new Map<string, readonly OwnerReference[]>();
  /** By the UID of the owner, which need not exist. */
  readonly #dependents = new Map<string, Set<string>>();

  /** The owners of an object, as it was noted last. */
  ownersOf(key: string): readonly OwnerReference[] {
    return this.#owners.get(key) ?? [];
  }

  /** The keys of the objects that name this owner. */
  dependentsOf(uid: string): readonly string[] {
    return [...this.#dependents.get(uid) ?? []];
  }

  /** Those of them that the owner's deletion in the foreground waits for. */
  blockingDependentsOf(uid: string): readonly string[] {
    return this.dependentsOf(uid).filter((key) =>
      this.ownersOf(key).some((owner) => owner.uid === uid && owner.blockOwnerDeletion)
    );
  }

  /** Notes the owners of an object; `undefined`: it is gone. */
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
