import type { KubeObject } from "@xca/apimachinery/meta";

/** A watch event: a change of an object, parsed. */
export interface WatchEvent<T extends KubeObject = KubeObject> {
  /**
   * The type of the watch event. The object of a `BOOKMARK` has only a resourceVersion and, at the
   * end of the initial events, an annotation.
   */
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  /**
   * The object of the watch event: after the change; for `DELETED`, its last state, with the
   * resourceVersion of the deletion.
   */
  readonly object: T;
}
