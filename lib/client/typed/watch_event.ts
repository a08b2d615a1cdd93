import type { KubeObject } from "@xca/apimachinery/meta";

/** A change of an object, parsed. */
export interface WatchEvent<T extends KubeObject = KubeObject> {
  /** The kind of change. The object of a `BOOKMARK` has only a resourceVersion. */
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  /** The object after the change; before it, when it was deleted. */
  readonly object: T;
}
