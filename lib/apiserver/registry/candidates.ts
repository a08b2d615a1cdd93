import type { Work } from "@xca/apimachinery/internal/base";
import type { StoredObject } from "../storage/arena.ts";
import type { Collection } from "../storage/collection.ts";
import type { Selection } from "./selection.ts";

/** Collections smaller than this are looked through: that takes less than a millisecond or two. */
const MIN_INDEXED = 256;

/**
 * Sees to it that objects can be found by the labels that a selection demands. Afterwards
 * {@linkcode candidatesNow} knows them, for as long as nothing is awaited.
 */
export async function indexLabels(
  collection: Collection,
  { demands, key }: Selection,
  work: Work,
): Promise<void> {
  if (key !== undefined || collection.size < MIN_INDEXED) return;
  for (const { label } of demands) {
    // All later requests use the index, so that it is built though this one's client goes away.
    const index = collection.labels.of(label, (steps) => work.detached().run(steps));
    if (index instanceof Promise) await index;
  }
}

/** The objects, as they are now, among which are all that a selection selects; in the order of keys. */
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
