import type { Reconciler } from "../../lib/controller/definition/reconciler.ts";
import type { ObjectKey } from "../../lib/apimachinery/meta/object_key.ts";

/** Notes which keys are being reconciled, and whether one ever was twice at once. */
export class RunRecord {
  /** Keys that began a run while another of theirs had not ended. */
  readonly overlaps: ObjectKey[] = [];
  /** How many runs of each key began. */
  readonly began: Map<ObjectKey, number> = new Map();
  /** The most runs there were at once, of all keys. */
  mostAtOnce = 0;
  readonly #running = new Set<ObjectKey>();

  /** The same reconciler, watched. */
  around(reconcile: Reconciler): Reconciler {
    return async (context) => {
      const { key } = context;
      this.began.set(key, (this.began.get(key) ?? 0) + 1);
      if (this.#running.has(key)) this.overlaps.push(key);
      this.#running.add(key);
      this.mostAtOnce = Math.max(this.mostAtOnce, this.#running.size);
      try {
        return await reconcile(context);
      } finally {
        this.#running.delete(key);
      }
    };
  }
}
