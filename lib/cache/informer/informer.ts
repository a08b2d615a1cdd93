import type { KubeObject } from "@xca/apimachinery/meta";
import type { EventHandler } from "../events/event_handler.ts";
import {
  type IndexedStore,
  SharedInformer,
  type SharedInformerOptions,
} from "./shared_informer.ts";
import type { WatchHealth } from "../reflector/watch_health.ts";

/**
 * An informer for one consumer: a store and the controller that keeps the store up to date. The
 * result of {@linkcode newInformer}.
 */
export interface PlainInformer<T extends KubeObject = KubeObject> {
  /** The read-only store that the informer fills. */
  readonly store: IndexedStore<T>;
  /**
   * The controller of the informer, as in client-go: runs the list and watch loop, and reports its
   * sync and health.
   */
  readonly controller: {
    /**
     * Lists and watches until the signal is aborted, then resolves: no further call of the handler
     * begins, and a running call has ended. An informer runs once.
     *
     * @throws {Error} If the informer is running, or was stopped.
     * @throws {unknown} An error in the processing of lists and events, which ends the run.
     */
    run(signal: AbortSignal): Promise<void>;
    /**
     * Reports whether the informer's event handler has processed the initial list, not only whether
     * the store has the list.
     */
    readonly synced: boolean;
    /**
     * Resolves once the informer's event handler has processed the initial list.
     *
     * @throws {unknown} The reason of `signal`, if it is aborted before that.
     * @throws {Error} If the informer is stopped before that.
     */
    whenSynced(signal?: AbortSignal): Promise<void>;
    /** The health of the informer's watch, a live view: its state, last error and counters. */
    readonly health: WatchHealth;
  };
}

/**
 * Returns an informer for one consumer: a store, and a controller that keeps the store up to date
 * and notifies the handler, once `controller.run` is called. The informer is a {@linkcode
 * SharedInformer} to which no other handler can be added.
 *
 * @throws {RangeError} If `resyncPeriodMs`, `coalesceAbove` or `sharedBytes` is negative or not a
 * number, or an index is named `namespace`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { listWatchFrom, newInformer } from "@xca/operator/cache";
 * import { Pod } from "@xca/operator/meta";
 *
 * const items = [{ metadata: { name: "web", uid: "1", resourceVersion: "1" } }];
 * const added: string[] = [];
 * const { store, controller } = newInformer({
 *   type: Pod,
 *   listerWatcher: listWatchFrom({
 *     list: () => Promise.resolve({ metadata: { resourceVersion: "1" }, items }),
 *     watch: async function* () {},
 *   }),
 *   handler: { onAdd: (pod) => void added.push(pod.key) },
 * });
 * const abort = new AbortController();
 * const running = controller.run(abort.signal);
 * await controller.whenSynced();
 * assert.deepEqual(added, ["web"]);
 * assert.equal(store.get("web")?.metadata.uid, "1");
 * abort.abort();
 * await running;
 * ```
 */
export function newInformer<T extends KubeObject>(
  options: SharedInformerOptions<T> & { readonly handler: EventHandler<T> },
): PlainInformer<T> {
  const informer = new SharedInformer<T>(options);
  const registration = informer.addHandler(options.handler);
  return {
    store: informer.indexer,
    controller: {
      run: (signal) => informer.run(signal),
      get synced() {
        return registration.synced;
      },
      whenSynced: (signal) => registration.whenSynced(signal),
      get health() {
        return informer.health;
      },
    },
  };
}
