import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import { observe, type ObservedObject } from "./observed_object.ts";
import type { PackedObject } from "../packed/packed_object.ts";

/** An object appeared. */
export interface AddChange<T extends KubeObject = KubeObject> {
  readonly type: "add";
  readonly current: ObservedObject<T>;
  readonly isInInitialList: boolean;
}

/** An object changed, or is told of again. */
export interface UpdateChange<T extends KubeObject = KubeObject> {
  readonly type: "update";
  readonly old: ObservedObject<T>;
  readonly current: ObservedObject<T>;
}

/** An object is gone. */
export interface DeleteChange<T extends KubeObject = KubeObject> {
  readonly type: "delete";
  readonly last: ObservedObject<T>;
}

/** What handlers are told. One change is shared by all handlers, and so are its objects. */
export type Change<T extends KubeObject = KubeObject> =
  | AddChange<T>
  | UpdateChange<T>
  | DeleteChange<T>;

/** The key of what changed. */
export function keyOfChange(change: Change): ObjectKey {
  return change.type === "delete" ? change.last.key : change.current.key;
}

/** Options for {@linkcode changeOf}. */
export interface ChangeOptions {
  /** Whether what is new is of the first state. */
  readonly isInInitialList: boolean;
  /** Whether the objects that handlers share are frozen. */
  readonly freeze: boolean;
}

/**
 * What became of an object, of which one may be missing: what was there before, and what is there now.
 * What is gone was not seen going. Told twice of the same, handlers get the same twice.
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
