import type { ObjectFacts } from "./object_facts.ts";

/** What siblings have in common, such as the pods of one ReplicaSet: kept once for all of them. */
export type Kin = Readonly<
  Pick<ObjectFacts, "namespace" | "labels" | "ownerReferences" | "finalizers">
>;

/**
 * Finds for each object the kin that a sibling of it had. Its facts must be shared already.
 *
 * Of those with the same labels it remembers the last: labels tell most siblings from all others.
 */
export class KinTable {
  readonly #last: WeakMap<Kin["labels"], Kin> = new WeakMap();

  /** The kin of these facts: one that was made before, where it is remembered. */
  of(
    namespace: string,
    labels: Kin["labels"],
    ownerReferences: Kin["ownerReferences"],
    finalizers: Kin["finalizers"],
  ): Kin {
    const known = this.#last.get(labels);
    if (
      known !== undefined && known.namespace === namespace &&
      known.ownerReferences === ownerReferences && known.finalizers === finalizers
    ) return known;
    const kin: Kin = { namespace, labels, ownerReferences, finalizers };
    this.#last.set(labels, kin);
    return kin;
  }
}
