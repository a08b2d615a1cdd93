import { Chance } from "./chance.ts";
import { collection, OperationMaker } from "./operations.ts";
import { KINDS, type PastWatch, type Sequence } from "./play.ts";

/** The sequence of a seed: up to `length` operations over some kinds, and watches from its past. */
export function makeSequence(seed: number, length: number): Sequence {
  const chance = new Chance(seed);
  const some = chance.some(KINDS, 0.15);
  const kinds = some.length > 0 ? some : [chance.pick(KINDS)];
  const maker = new OperationMaker(chance, kinds);
  const operations = Array.from({ length: 1 + chance.below(length) }, () => maker.next());
  const watchable = kinds.filter(({ namespaced }) => namespaced);
  const watches = watchable.length === 0 ? [] : chance.list(3, (): PastWatch => ({
    path: collection(chance.pick(watchable)),
    ...(chance.happens(0.8) && { since: chance.below(operations.length) }),
    query: chance.fields({
      labelSelector: () => "app=web",
      allowWatchBookmarks: () => "true",
    }, 0.3) as Record<string, string>,
  }));
  return { operations, watches };
}
