import { Chance } from "./chance.ts";
import type { RandomKind } from "./kinds.ts";
import { collection, OperationMaker, WATCH_FORMS } from "./operations.ts";
import { KINDS, type PastWatch, type Sequence } from "./play.ts";

/** The sequence of a seed: up to `length` operations over some kinds, and watches from its past. */
export function makeSequence(seed: number, length: number): Sequence {
  const chance = new Chance(seed);
  const some = chance.some(KINDS, 0.15);
  const kinds = some.length > 0 ? some : [chance.pick(KINDS)];
  const maker = new OperationMaker(chance, kinds);
  const operations = Array.from({ length: 1 + chance.below(length) }, () => maker.next());
  const watches = chance.list(3, () => pastWatch(chance, kinds, operations.length));
  return { operations, watches };
}

/** A watch that sees the last object of its collection, whatever it selects. */
function pastWatch(chance: Chance, kinds: readonly RandomKind[], made: number): PastWatch {
  const kind = chance.pick(kinds);
  return {
    path: collection(kind),
    ...(chance.happens(0.8) && { since: chance.below(made) }),
    ...(chance.happens(0.15) && { accept: chance.pick(WATCH_FORMS) }),
    query: {
      ...chance.fields({
        labelSelector: () => "app=web",
        allowWatchBookmarks: () => "true",
        fieldSelector: () => chance.pick(["metadata.name!=a", "metadata.name!=b", "odd=1"]),
      }, 0.3) as Record<string, string>,
      ...(chance.happens(0.1) && {
        sendInitialEvents: "true",
        allowWatchBookmarks: "true",
        ...(chance.happens(0.9) && { resourceVersionMatch: "NotOlderThan" }),
      }),
      // What else is on the server would show in a watch over the whole of it.
      ...(!kind.namespaced && { labelSelector: "xca-run=<run>" }),
    },
  };
}
