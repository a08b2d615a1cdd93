import type {
  AddHandlerOptions,
  EventHandler,
  HandlerRegistration,
} from "../cache/events/event_handler.ts";
import type { IndexFunc } from "../cache/store/index_table.ts";
import type { Lister } from "../cache/readers/lister.ts";
import type { StoreReader } from "../cache/store/store.ts";
import type { WatchHealth } from "../cache/reflector/watch_health.ts";
import type { KubeObject, ResourceType } from "@xca/apimachinery/meta";

/** What a controller asks of a shared informer. */
export interface ControllerInformer<T extends KubeObject = KubeObject> {
  /** The store, for reading. */
  readonly indexer: StoreReader<T>;
  /** The store as a lister. */
  readonly lister: Lister<T>;
  /** Whether the store holds the first list whole. */
  readonly synced: boolean;
  /** How the watch is doing. */
  readonly health: Pick<WatchHealth, "synced" | "lastError">;
  /** Resolves once `synced` is true; rejects when `signal` is aborted, or the informer was stopped, before. */
  whenSynced(signal?: AbortSignal): Promise<void>;
  /** Adds a handler, at any time before the informer stopped. */
  addHandler(handler: EventHandler<T>, options?: AddHandlerOptions): HandlerRegistration;
}

/** Which part of a resource an informer holds. */
export interface ControllerInformerOptions<T extends KubeObject = KubeObject> {
  /** Named index functions that its store has besides others. */
  readonly indexers?: Readonly<Record<string, IndexFunc<T>>> | undefined;
  /** A function that changes each object before it is stored. */
  readonly transform?: ((object: T) => T) | undefined;
  /** Only objects of this namespace; empty for all. @default what the one who made the informers chose */
  readonly namespace?: string | undefined;
  /** Only objects whose labels match. */
  readonly labelSelector?: string | undefined;
  /** Only objects whose fields match. */
  readonly fieldSelector?: string | undefined;
}

/** What an operator asks of an informer factory: one informer per resource and selectors. */
export interface Informers {
  /** The informer of a resource and selectors; made when first asked for. */
  informer<T extends KubeObject>(
    type: ResourceType<T>,
    options?: ControllerInformerOptions<T>,
  ): ControllerInformer<T>;
}
