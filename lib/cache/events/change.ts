import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import { observe, type ObservedObject } from "./observed_object.ts";
import type { PackedObject } from "../packed/packed_object.ts";

/**
 * The record of a cache event: an object was added to the informer's store, or was there when the
 * event handler was added.
 */
export interface AddChange<T extends KubeObject = KubeObject> {
  readonly type: "add";
  readonly current: ObservedObject<T>;
  readonly isInInitialList: boolean;
}

/**
 * The record of a cache event: an object changed, or a resync or relist notifies the handler of an
 * unchanged object, whose `old` and `current` are then the same record.
 */
export interface UpdateChange<T extends KubeObject = KubeObject> {
  readonly type: "update";
  readonly old: ObservedObject<T>;
  readonly current: ObservedObject<T>;
}

/**
 * The record of a cache event: an object was deleted from an informer's store; `last` is its final
 * state, or the last known state if the final state was missed (`finalStateUnknown`).
 */
export interface DeleteChange<T extends KubeObject = KubeObject> {
  readonly type: "delete";
  readonly last: ObservedObject<T>;
}

/**
 * The record of an addition, update or deletion that event handlers are notified of. Event handlers
 * may share a record and its objects.
 */
export type Change<T extends KubeObject = KubeObject> =
  | AddChange<T>
  | UpdateChange<T>
  | DeleteChange<T>;

/**
 * Returns the key (`namespace/name`, or `name` when cluster-scoped) of the object of a cache event.
 */
export function keyOfChange(change: Change): ObjectKey {
  return change.type === "delete" ? change.last.key : change.current.key;
}

/**
 * Options of {@linkcode changeOf}, which creates the record of the change between two versions of
 * an object.
 */
export interface ChangeOptions {
  /**
   * A flag that is true if an added object is part of the initial list, or of the replay for an
   * event handler that was added later.
   */
  readonly isInInitialList: boolean;
  /** Sets whether the parsed objects that event handlers share are deeply frozen. */
  readonly freeze: boolean;
}

/**
 * Returns the record of the addition, update or deletion that leads from one version of an object
 * to another; `undefined` stands for an absent object, on one side at most. Equal versions are an
 * update, too. The object of a deletion is the last known state, with `finalStateUnknown`.
 */
export function changeOf<T extends KubeObject>(
  old: PackedObject<T> | undefined,
  now: PackedObject<T> | undefined,
  { isInInitialList, freeze }: ChangeOptions,
): Change<T> {
  if (now === undefined) {
    return { type: "delete", last: observe(old!, { finalStateUnknown: true, freeze }) };
  }
  const current = observe(now, { freeze });
  if (old === undefined) return { type: "add", current, isInInitialList };
  return { type: "update", old: old === now ? current : observe(old, { freeze }), current };
}
