import type {
  AddHandlerOptions,
  EventHandler,
  HandlerRegistration,
} from "../../cache/events/event_handler.ts";
import type { IndexFunc } from "../../cache/store/index_table.ts";
import type { Lister } from "../../cache/readers/lister.ts";
import type { StoreReader } from "../../cache/store/store.ts";
import type { WatchHealth } from "../../cache/reflector/watch_health.ts";
import type { KubeObject, ObjectKey, ResourceType } from "@xca/apimachinery/meta";

/** The part of a shared informer ({@linkcode SharedInformer}) that a controller uses. */
export interface ControllerInformer<T extends KubeObject = KubeObject> {
  /** The store of the informer, for reading. */
  readonly indexer: StoreReader<T> & {
    /**
     * The size of the informer's objects in the form in which the store keeps them (compressed if
     * the store compresses), in bytes.
     *
     * @default not known
     */
    readonly storedBytes?: number;
    /**
     * The size of the memory that is allocated for the informer's objects, in bytes.
     *
     * @default not known
     */
    readonly allocatedBytes?: number;
  };
  /** The lister of the informer's store. */
  readonly lister: Lister<T>;
  /** Reports whether the informer's store has received the complete first list. */
  readonly synced: boolean;
  /** The health of the informer's watch; a test's informer may lack all but two fields. */
  readonly health: Pick<WatchHealth, "synced" | "lastError"> & Partial<WatchHealth>;
  /**
   * Resolves once the informer's store has the complete first list; rejects when `signal` is
   * aborted or the informer is stopped before that.
   */
  whenSynced(signal?: AbortSignal): Promise<void>;
  /**
   * Reports whether the informer received, in a list or watch event that is still queued, the
   * object of a key that its store does not have yet; false for a stored object.
   */
  hasQueued(key: ObjectKey): boolean;
  /** Adds an event handler to the informer; throws once the informer is stopped. */
  addHandler(handler: EventHandler<T>, options?: AddHandlerOptions): HandlerRegistration;
}

/**
 * Options of {@linkcode Informers.informer}: the objects of a resource that the informer caches,
 * and their indexes and transform.
 */
export interface ControllerInformerOptions<T extends KubeObject = KubeObject> {
  /** Index functions by name, which are added to those of the informer's store. @default none */
  readonly indexers?: Readonly<Record<string, IndexFunc<T>>> | undefined;
  /**
   * A function that returns the object to store instead of each received one; see {@linkcode
   * InformerOptions.transform}.
   */
  readonly transform?: ((object: T) => T) | undefined;
  /**
   * The namespace that the informer watches; empty for all.
   *
   * @default the namespace of the informers
   */
  readonly namespace?: string | undefined;
  /** The label selector of the informer's objects. @default all */
  readonly labelSelector?: string | undefined;
  /** The field selector of the informer's objects. @default all */
  readonly fieldSelector?: string | undefined;
}

/**
 * The port through which a controller obtains informers: one per resource, namespace and selectors.
 */
export interface Informers {
  /**
   * Returns the informer of a resource, namespace and selectors, created at the first call; the
   * owner of the provider starts it. Throws if the options contradict those of an earlier call.
   */
  informer<T extends KubeObject>(
    type: ResourceType<T>,
    options?: ControllerInformerOptions<T>,
  ): ControllerInformer<T>;
}
