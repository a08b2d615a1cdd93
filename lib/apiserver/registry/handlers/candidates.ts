import type { Work } from "@xca/apimachinery/internal/base";
import type { StoredObject } from "../../storage/arena.ts";
import type { Collection } from "../../storage/collection.ts";
import type { Selection } from "./selection.ts";

/**
 * The number of objects of a collection, in all namespaces, from which the collection is indexed by
 * label. A scan of a smaller collection takes one or two milliseconds.
 */
const MIN_INDEXED = 256;

/**
 * Builds the missing label indexes that the selection of a list or watch needs; {@linkcode
 * candidatesNow} can use them until the next await. Does nothing for a selection of one key or a
 * collection of less than {@linkcode MIN_INDEXED} objects.
 */
export async function indexLabels(
  collection: Collection,
  { demands, key }: Selection,
  work: Work,
): Promise<void> {
  if (key !== undefined || collection.size < MIN_INDEXED) return;
  for (const { label } of demands) {
    // Later requests use the index too, so that it is completed even if this client disconnects.
    const index = collection.labels.of(label, (steps) => work.detached().run(steps));
    if (index instanceof Promise) await index;
  }
}

/**
 * Returns the current objects of a collection that a selection may select, in key order. They
 * include all selected objects; the caller must still filter them.
 */
export function candidatesNow(
  collection: Collection,
  { key, prefix, demands }: Selection,
): readonly StoredObject[] {
  if (key !== undefined) {
    const object = collection.get(key);
    return object ? [object] : [];
  }
  let keys: (() => readonly string[]) | undefined;
  let fewest = collection.size / 2;
  for (const { label, values } of demands) {
    const index = collection.labels.known(label);
    const count = index?.count(values) ?? Infinity;
    if (count >= fewest) continue;
    fewest = count;
    keys = () => index!.keys(values, prefix);
  }
  if (!keys) return collection.list(prefix);
  return keys().map((each) => collection.get(each)!);
}
