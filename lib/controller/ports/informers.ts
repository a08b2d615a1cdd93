import type {
  AddHandlerOptions,
  EventHandler,
  HandlerRegistration,
} from "../../cache/events/event_handler.ts";
import type { IndexFunc } from "../../cache/store/index_table.ts";
import type { Lister } from "../../cache/readers/lister.ts";
import type { StoreReader } from "../../cache/store/store.ts";
import type { WatchHealth } from "../../cache/reflector/watch_health.ts";
import type { KubeObject, ResourceType } from "@xca/apimachinery/meta";

/** The part of a shared informer that a controller uses. */
export interface ControllerInformer<T extends KubeObject = KubeObject> {
  /** The store, for reading. */
  readonly indexer: StoreReader<T>;
  /** The store as a lister. */
  readonly lister: Lister<T>;
  /** Whether the store holds the complete first list. */
  readonly synced: boolean;
  /** The health of the watch. */
  readonly health: Pick<WatchHealth, "synced" | "lastError">;
  /**
   * Resolves once `synced` is true; rejects when `signal` is aborted or the informer is stopped
   * before.
   */
  whenSynced(signal?: AbortSignal): Promise<void>;
  /** Adds a handler; fails once the informer is stopped. */
  addHandler(handler: EventHandler<T>, options?: AddHandlerOptions): HandlerRegistration;
}

/** Options of an informer: the part of a resource that it holds. */
export interface ControllerInformerOptions<T extends KubeObject = KubeObject> {
  /** Index functions by name, which are added to those of the store. */
  readonly indexers?: Readonly<Record<string, IndexFunc<T>>> | undefined;
  /** A function that changes each object before it is stored. */
  readonly transform?: ((object: T) => T) | undefined;
  /** The namespace; empty for all. @default the namespace of the informers */
  readonly namespace?: string | undefined;
  /** Selects objects by labels. @default all */
  readonly labelSelector?: string | undefined;
  /** Selects objects by fields. @default all */
  readonly fieldSelector?: string | undefined;
}

/** Provider of informers: one per resource, namespace and selectors. */
export interface Informers {
  /** Returns the informer of a resource and selectors, created at the first call. */
  informer<T extends KubeObject>(
    type: ResourceType<T>,
    options?: ControllerInformerOptions<T>,
  ): ControllerInformer<T>;
}
