import type { KubeObject } from "@xca/apimachinery/meta";
import type { EventHandler } from "../events/event_handler.ts";
import {
  type IndexedStore,
  SharedInformer,
  type SharedInformerOptions,
} from "./shared_informer.ts";
import type { WatchHealth } from "../reflector/watch_health.ts";

/** Options for {@linkcode newInformer}. */
export interface PlainInformerOptions<T extends KubeObject = KubeObject>
  extends SharedInformerOptions<T> {
  /** The one consumer. */
  readonly handler: EventHandler<T>;
}

/** What runs a plain informer. */
export interface InformerController {
  /**
   * Lists and watches until the signal is aborted, then resolves. Runs once.
   *
   * @throws {Error} When it runs already, or was stopped.
   */
  run(signal: AbortSignal): Promise<void>;
  /** Whether the handler has worked off the first list. */
  readonly synced: boolean;
  /**
   * Resolves once {@linkcode InformerController.synced} is true.
   *
   * @throws {unknown} The reason of `signal`, when it is or becomes aborted.
   * @throws {Error} When the informer was stopped before.
   */
  whenSynced(signal?: AbortSignal): Promise<void>;
  /** How the watch is doing. */
  readonly health: WatchHealth;
}

/** A store and what keeps it up to date; see {@linkcode newInformer}. */
export interface PlainInformer<T extends KubeObject = KubeObject> {
  /** The store, for reading. */
  readonly store: IndexedStore<T>;
  /** What runs it. */
  readonly controller: InformerController;
}

/**
 * Makes an informer of one consumer: a store, and a controller that keeps it up to date and tells the
 * handler. It is a {@linkcode SharedInformer} that nobody else can join.
 *
 * @throws {RangeError} When `resyncPeriodMs` is negative or no number.
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
  options: PlainInformerOptions<T>,
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
