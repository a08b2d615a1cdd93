import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import { type AddChange, type Change, keyOfChange, type UpdateChange } from "./change.ts";

/**
 * The marker in a handler's event queue for the end of the initial objects: the handler has synced
 * when the queue reaches it.
 */
export const INITIAL_END = "initial end";

/**
 * An entry of a handler's event queue: a change, or the marker for the end of the initial objects.
 */
export type Pending<T extends KubeObject = KubeObject> = Change<T> | typeof INITIAL_END;

/**
 * Returns the entries of a handler's event queue, in order, with the changes of each object merged:
 * into one addition, update or deletion, into a deletion followed by an addition, or into nothing.
 *
 * - An addition or update absorbs the updates that follow it: the oldest old state and the newest
 *   new state remain.
 * - A deletion absorbs the update before it. A deletion that follows a queued addition is dropped
 *   together with the addition: the handler is never notified of that object.
 * - A deletion and the addition after it remain two changes, since they concern two objects of one
 *   name.
 *
 * A merged change has the position of the first of its changes, so {@linkcode INITIAL_END} still
 * follows all initial objects.
 */
export function coalesce<T extends KubeObject>(pending: Iterable<Pending<T>>): Pending<T>[] {
  const merged: (Pending<T> | undefined)[] = [];
  /** Index in `merged` of the last addition or update of a key, until the key is deleted. */
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
