import type { KubeObject } from "../meta/object.ts";
import type { ObjectKey } from "../meta/object_key.ts";
import type { ObservedObject } from "./observed_object.ts";

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
