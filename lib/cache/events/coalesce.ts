import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import { type AddChange, type Change, keyOfChange, type UpdateChange } from "./change.ts";

/** Stands among changes: those before it were there when the handler began. */
export const INITIAL_END = "initial end";

/** What waits for a handler. */
export type Pending<T extends KubeObject = KubeObject> = Change<T> | typeof INITIAL_END;

/**
 * Merges the changes of each key, given in order, into at most two: a deletion of what the handler
 * knows, and behind it an addition; or one update; or nothing.
 *
 * - An addition or update takes up the updates that follow it: oldest old, newest new.
 * - A deletion takes up the update before it, and cancels out with the addition before it: the
 *   handler never heard of that object.
 * - A deletion and the addition behind it stay two: they are two objects of one name.
 *
 * What is merged stands at the place of its first change, so {@linkcode INITIAL_END} keeps its meaning.
 */
export function coalesce<T extends KubeObject>(pending: Iterable<Pending<T>>): Pending<T>[] {
  const merged: (Pending<T> | undefined)[] = [];
  /** Where in `merged` the last addition or update of a key stands, until its deletion. */
  const live = new Map<ObjectKey, number>();
  for (const change of pending) {
    const at = change === INITIAL_END ? undefined : live.get(keyOfChange(change));
    if (change === INITIAL_END || change.type === "add" || at === undefined) {
      const length = merged.push(change);
      if (change !== INITIAL_END && change.type !== "delete") {
        live.set(change.current.key, length - 1);
      }
      continue;
    }
    const before = merged[at] as AddChange<T> | UpdateChange<T>;
    if (change.type === "update") {
      merged[at] = { ...before, current: change.current };
    } else {
      merged[at] = before.type === "add" ? undefined : change;
      live.delete(change.last.key);
    }
  }
  return merged.filter((each) => each !== undefined);
}
