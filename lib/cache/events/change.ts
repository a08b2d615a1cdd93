import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import { observe, type ObservedObject } from "./observed_object.ts";
import type { PackedObject } from "../packed/packed_object.ts";

/** An object was added. */
export interface AddChange<T extends KubeObject = KubeObject> {
  readonly type: "add";
  readonly current: ObservedObject<T>;
  readonly isInInitialList: boolean;
}

/** An object changed, or a handler is notified of it again. */
export interface UpdateChange<T extends KubeObject = KubeObject> {
  readonly type: "update";
  readonly old: ObservedObject<T>;
  readonly current: ObservedObject<T>;
}

/** An object was deleted. */
export interface DeleteChange<T extends KubeObject = KubeObject> {
  readonly type: "delete";
  readonly last: ObservedObject<T>;
}

/** A notification for handlers. All handlers share one change and its objects. */
export type Change<T extends KubeObject = KubeObject> =
  | AddChange<T>
  | UpdateChange<T>
  | DeleteChange<T>;

/** Returns the key of the changed object. */
export function keyOfChange(change: Change): ObjectKey {
  return change.type === "delete" ? change.last.key : change.current.key;
}

/** Options for {@linkcode changeOf}. */
export interface ChangeOptions {
  /** Whether an added object is part of the initial list. */
  readonly isInInitialList: boolean;
  /** Whether the objects that handlers share are frozen. */
  readonly freeze: boolean;
}

/**
 * Returns the change from an old state to a new one; one of the two may be missing. A deletion is
 * reported with `finalStateUnknown`. If both are the same object, the result is an update with the
 * same object as old and new.
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
