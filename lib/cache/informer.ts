import type { KubeObject } from "../meta/object.ts";
import type { EventHandler } from "./event_handler.ts";
import type { IndexedStore, SharedInformerOptions } from "./shared_informer.ts";
import type { WatchHealth } from "./watch_health.ts";

/** Options for {@linkcode newInformer}. */
export interface PlainInformerOptions<T extends KubeObject = KubeObject>
  extends SharedInformerOptions<T> {
  /** The one consumer. */
  readonly handler: EventHandler<T>;
}

/** What runs a plain informer. */
export interface InformerController {
  /** Lists and watches until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
  /** Whether the handler has worked off the first list. */
  readonly synced: boolean;
  /** Resolves once {@linkcode InformerController.synced} is true. */
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

/** Makes an informer of one consumer. */
export function newInformer<T extends KubeObject>(
  _options: PlainInformerOptions<T>,
): PlainInformer<T> {
  throw new Error("not built yet");
}
