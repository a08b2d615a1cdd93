import type { KubeObject } from "@xca/apimachinery/meta";

/** A change of one object, parsed. */
export interface WatchEvent<T extends KubeObject = KubeObject> {
  /** What happened. A `BOOKMARK`'s object has nothing but a resourceVersion to go by. */
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  /** The object after the change; before it, when it was deleted. */
  readonly object: T;
}
