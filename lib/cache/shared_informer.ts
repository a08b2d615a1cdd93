import type { Clock } from "../base/clock.ts";
import type { Random } from "../base/random.ts";
import type { KubeObject } from "../meta/object.ts";
import type { ResourceType } from "../meta/resource_type.ts";
import type { AddHandlerOptions, EventHandler, HandlerRegistration } from "./event_handler.ts";
import type { IndexFunc } from "./indexer.ts";
import type { Lister } from "./lister.ts";
import type { ListerWatcher } from "./list_watch.ts";
import type { StoreReader } from "./store.ts";
import type { WatchHealth } from "./watch_health.ts";

/** Options for {@linkcode SharedInformer}, besides where its objects come from. */
export interface InformerOptions<T extends KubeObject = KubeObject> {
  /** Named index functions. @default the namespace index alone */
  readonly indexers?: Readonly<Record<string, IndexFunc<T>>> | undefined;
  /**
   * The resync period of handlers that ask for none of their own, in milliseconds; 0 for none.
   *
   * @default {0}
   */
  readonly resyncPeriodMs?: number | undefined;
  /** Whether the stored text is deflated: half the memory, slower reads. @default {false} */
  readonly compress?: boolean | undefined;
  /**
   * Changes each object before it is stored; handlers and store see only what it returns.
   *
   * @default none
   */
  readonly transform?: ((object: T) => T) | undefined;
  /** Whether `metadata.managedFields` is left out of the store. @default {false} */
  readonly dropManagedFields?: boolean | undefined;
  /** Told of each error of the list and the watch; they are retried anyhow. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /**
   * Whether the object that the handlers of one event share is frozen, deeply, so that who changes it
   * is found out. Meant for tests.
   *
   * @default {false}
   */
  readonly freeze?: boolean | undefined;
  /**
   * How many notifications a handler may have pending before those of one key are merged.
   *
   * @default {1000}
   */
  readonly coalesceAbove?: number | undefined;
  /** Where time comes from. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** Where jitter comes from. @default {systemRandom} */
  readonly random?: Random | undefined;
}

/** Options for {@linkcode SharedInformer}. */
export interface SharedInformerOptions<T extends KubeObject = KubeObject>
  extends InformerOptions<T> {
  /** Lists and watches the objects. */
  readonly listerWatcher: ListerWatcher;
  /** The resource. */
  readonly type: ResourceType<T>;
  /** What it is called in logs. @default the resource's `id` */
  readonly name?: string | undefined;
}

/** A store that is read by everybody and may be given further indexes. */
export interface IndexedStore<T extends KubeObject = KubeObject> extends StoreReader<T> {
  /**
   * Adds indexes, at any time; they answer at once.
   *
   * @throws {RangeError} When there is an index of that name.
   */
  addIndexers(indexers: Readonly<Record<string, IndexFunc<T>>>): void;
}

/** One watch and one store for any number of handlers and readers. */
export class SharedInformer<T extends KubeObject = KubeObject> {
  /** The resource. */
  readonly type: ResourceType<T>;
  /** The store, for reading. */
  readonly indexer: IndexedStore<T>;
  /** The store as a lister. */
  readonly lister: Lister<T>;

  /** Makes an informer that does nothing until {@linkcode SharedInformer.run}. */
  constructor(options: SharedInformerOptions<T>) {
    this.type = options.type;
    throw new Error("not built yet");
  }
  /** Whether the store holds the first list whole. */
  get synced(): boolean {
    throw new Error("not built yet");
  }
  /** How the watch is doing. */
  get health(): WatchHealth {
    throw new Error("not built yet");
  }
  /** How many handlers there are. */
  get handlers(): number {
    throw new Error("not built yet");
  }
  /** Adds a handler, at any time before the informer stopped. */
  addHandler(_handler: EventHandler<T>, _options: AddHandlerOptions = {}): HandlerRegistration {
    throw new Error("not built yet");
  }
  /** Lists and watches until the signal is aborted. */
  run(_signal: AbortSignal): Promise<void> {
    throw new Error("not built yet");
  }
  /** Resolves once {@linkcode SharedInformer.synced} is true. */
  whenSynced(_signal?: AbortSignal): Promise<void> {
    throw new Error("not built yet");
  }
}
