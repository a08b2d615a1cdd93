import type { ObjectFacts } from "./object_facts.ts";

/** What siblings have in common, such as the pods of one ReplicaSet: kept once for all of them. */
export type Kin = Readonly<
  Pick<ObjectFacts, "namespace" | "labels" | "ownerReferences" | "finalizers">
>;

/** How many are remembered before all are forgotten; who comes then makes them anew. */
const REMEMBERED = 1024;

/** Finds for each object the kin that a sibling of it had. Its facts must be shared already. */
export class KinTable {
  /** By their labels: these tell most siblings from all others. */
  readonly #kin: Map<Kin["labels"], Kin> = new Map();

  /** The kin of these facts: one that was made before, where it is remembered. */
  of(
    namespace: string,
    labels: Kin["labels"],
    ownerReferences: Kin["ownerReferences"],
    finalizers: Kin["finalizers"],
  ): Kin {
    const known = this.#kin.get(labels);
    if (
      known !== undefined && known.namespace === namespace &&
      known.ownerReferences === ownerReferences && known.finalizers === finalizers
    ) return known;
    const kin: Kin = { namespace, labels, ownerReferences, finalizers };
    if (this.#kin.size >= REMEMBERED) this.#kin.clear();
    this.#kin.set(labels, kin);
    return kin;
  }
}
