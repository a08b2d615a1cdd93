import type { Reconciler } from "../../../lib/controller/definition/reconciler.ts";
import type { ObjectKey } from "../../../lib/apimachinery/meta/object_key.ts";

/** Records the keys being reconciled, and whether two runs of one key ever overlapped. */
export class RunRecord {
  /** The keys of which a run began before the last one had ended. */
  readonly overlaps: ObjectKey[] = [];
  /** The number of runs that began, by key. */
  readonly began: Map<ObjectKey, number> = new Map();
  /** The highest number of concurrent runs. */
  mostAtOnce = 0;
  readonly #running = new Set<ObjectKey>();

  /** Returns a reconciler whose runs are recorded. */
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
