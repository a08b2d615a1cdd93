import type { ObjectFacts } from "./object_facts.ts";

/**
 * The metadata that related objects, such as the pods of one ReplicaSet, mostly have in common:
 * namespace, labels, owner references and finalizers. Kept once for all of them.
 */
export type CommonFacts = Readonly<
  Pick<ObjectFacts, "namespace" | "labels" | "ownerReferences" | "finalizers">
>;

/**
 * A table of metadata records (namespace, labels, owner references, finalizers) by which objects
 * with equal metadata share one record. The values must be interned before (see `InternTable`),
 * because they are compared by reference.
 *
 * Only the last record per set of labels is remembered, since most groups of related objects have
 * different labels.
 */
export class CommonFactsTable {
  readonly #last: WeakMap<CommonFacts["labels"], CommonFacts> = new WeakMap();

  /**
   * Returns the metadata record of an object: the record last returned for the same labels if its
   * other values are the same too (by reference), or a new record.
   */
  of(
    namespace: string,
    labels: CommonFacts["labels"],
    ownerReferences: CommonFacts["ownerReferences"],
    finalizers: CommonFacts["finalizers"],
  ): CommonFacts {
    const known = this.#last.get(labels);
    if (
      known !== undefined && known.namespace === namespace &&
      known.ownerReferences === ownerReferences && known.finalizers === finalizers
    ) return known;
    const common: CommonFacts = { namespace, labels, ownerReferences, finalizers };
    this.#last.set(labels, common);
    return common;
  }
}
