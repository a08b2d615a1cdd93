import { getLogger } from "@logtape/logtape";
import {
  type Clock,
  errorText,
  linkedAbort,
  type Random,
  systemClock,
  systemRandom,
} from "@xca/apimachinery/base";
import { ignoreRejection, TimeSlice } from "@xca/apimachinery/internal/base";
import type { KubeObject, ObjectKey, ResourceType } from "@xca/apimachinery/meta";
import { DeltaFifo } from "../feed/delta_fifo.ts";
import type {
  AddHandlerOptions,
  EventHandler,
  HandlerRegistration,
} from "../events/event_handler.ts";
import { HandlerListener } from "../events/handler_listener.ts";
import { Indexer, type IndexFunc } from "../store/indexer.ts";
import { createLister, type Lister } from "../readers/lister.ts";
import type { ListerWatcher } from "../watch/list_watch.ts";
import { createPacker } from "../packed/packer.ts";
import { Reflector } from "../reflector/reflector.ts";
import type { ReflectorTuning } from "../reflector/reflector_options.ts";
import { checkedResyncPeriod, ResyncSchedule } from "../feed/resync_schedule.ts";
import type { StoreReader } from "../store/store.ts";
import { StoreFeed } from "../feed/store_feed.ts";
import { SyncState } from "../events/sync_state.ts";
import type { WatchHealth } from "../reflector/watch_health.ts";

/** Options of a shared informer, except for its source, its resource and its name. */
export interface InformerOptions<T extends KubeObject = KubeObject> {
  /** The index functions of the informer's store by name. @default the namespace index alone */
  readonly indexers?: Readonly<Record<string, IndexFunc<T>>> | undefined;
  /**
   * The resync period of event handlers that set none, in milliseconds; 0 for none. A value below
   * one second is raised to one second, with a warning.
   *
   * @default {0}
   */
  readonly resyncPeriodMs?: number | undefined;
  /**
   * Sets whether the text of stored objects is compressed, that of pods to about a fifth of its
   * size, at the cost of slower reads.
   *
   * @default {false}
   */
  readonly compress?: boolean | undefined;
  /**
   * A function that returns the object to store instead of each received one, and may change its
   * argument; store and handlers see the result only. The function must keep name, namespace, UID
   * and resourceVersion. An object on which it throws is not stored: an earlier version stays, and
   * without one the object counts as lost ({@linkcode StoreReader.lost}).
   *
   * @default none
   */
  readonly transform?: ((object: T) => T) | undefined;
  /**
   * Sets whether `metadata.managedFields` is removed from objects before the informer stores them.
   *
   * @default {false}
   */
  readonly dropManagedFields?: boolean | undefined;
  /**
   * Receives each error of the informer: failed list and watch requests, which the informer retries
   * in any case (except a refused WatchList that a LIST replaces), objects that could not be
   * decoded or transformed, and errors of index functions. An error that the callback throws is
   * logged.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  /**
   * Sets whether the parsed objects that event handlers and readers by {@linkcode Lister.shared}
   * get are frozen, deeply, so that code that changes one throws. Meant for tests.
   *
   * @default {false}
   */
  readonly freeze?: boolean | undefined;
  /**
   * Limit of the parsed objects that are kept for {@linkcode Lister.shared}, in bytes of their JSON
   * text. Parsed objects take about twice as many bytes of V8's heap. Without reads by
   * {@linkcode Lister.shared} nothing is kept; 0 never keeps parsed objects.
   *
   * @default {16777216}
   */
  readonly sharedBytes?: number | undefined;
  /**
   * Number of changes that may wait for a handler before those of one object are merged: the
   * handler then receives one update from the oldest state to the newest, and nothing for an object
   * that was added and deleted. Twice the number of stored objects may always wait.
   *
   * @default {1000}
   */
  readonly coalesceAbove?: number | undefined;
  /**
   * The settings of the informer's list and watch loop (its reflector).
   *
   * @default those of {@linkcode ReflectorTuning}
   */
  readonly reflector?: ReflectorTuning | undefined;
  /** The clock that the informer uses for timers and timestamps. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** The random number source for the jitter of the informer's pauses. @default {systemRandom} */
  readonly random?: Random | undefined;
}

/** Options of the class {@linkcode SharedInformer}, which caches the objects of a resource. */
export interface SharedInformerOptions<T extends KubeObject = KubeObject>
  extends InformerOptions<T> {
  /** The source of the informer's objects: lists and watches them. */
  readonly listerWatcher: ListerWatcher;
  /** The resource that the informer caches. */
  readonly type: ResourceType<T>;
  /** The name of the informer in logs. @default the resource's `id` */
  readonly name?: string | undefined;
}

/** The read-only store of an informer, to which indexes can be added. */
export interface IndexedStore<T extends KubeObject = KubeObject> extends StoreReader<T> {
  /**
   * Adds indexes to the informer's store, at any time. The stored objects are indexed before the
   * call returns; an error of an index function goes to the informer's `onError`.
   *
   * @throws {RangeError} If an index of one of the names exists; none is added then.
   */
  addIndexers(indexers: Readonly<Record<string, IndexFunc<T>>>): void;
}

const logger = getLogger(["xca", "cache", "informer"]);

/**
 * The default of {@linkcode InformerOptions.coalesceAbove}, the queue length above which changes of
 * one object are merged.
 */
const COALESCE_ABOVE = 1_000;

/**
 * Duration of the slices in which an informer fills its store and notifies its handlers, in
 * milliseconds. Shorter than for other work: most of the allocated memory stays, and V8 may collect
 * within a slice, which in a large cache takes 4 to 8 ms by itself.
 */
const SLICE_MS = 2;

type Stage = "new" | "running" | "stopped";

/**
 * A cache of one resource, or of the objects of it that the lister-watcher selects: one watch and
 * one store for any number of event handlers and readers.
 *
 * - The store holds a recent state of the server, each object as packed text. Reads parse anew, and
 *   the result belongs to the reader, except for reads by {@linkcode Lister.shared}.
 * - Handlers may be added until the informer is stopped, and removed at any time. A handler added
 *   later is first notified of every stored object. Each handler has its own queue, so a slow or
 *   failing one does not delay the others.
 * - When the informer must list again, all objects of the store are replaced. Handlers are notified
 *   of the differences only: additions, updates, and deletions (with `finalStateUnknown`). Handlers
 *   with a resync period are notified of unchanged objects too.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { listWatchFrom, SharedInformer } from "@xca/operator/cache";
 * import { Pod } from "@xca/operator/meta";
 *
 * const items = [{ metadata: { name: "web", uid: "1", resourceVersion: "1", labels: { app: "web" } } }];
 * const listerWatcher = listWatchFrom({ // for a cluster: listWatch(client, Pod)
 *   list: () => Promise.resolve({ metadata: { resourceVersion: "1" }, items }),
 *   watch: async function* () {},
 * });
 * const informer = new SharedInformer({ type: Pod, listerWatcher });
 * const added: string[] = [];
 * const registration = informer.addHandler({ onAdd: (pod) => void added.push(pod.key) });
 *
 * const abort = new AbortController();
 * const running = informer.run(abort.signal);
 * await registration.whenSynced();
 * assert.deepEqual(added, ["web"]);
 * assert.equal((await informer.lister.list({ labelSelector: "app=web" })).length, 1);
 * abort.abort();
 * await running;
 * ```
 */
export class SharedInformer<T extends KubeObject = KubeObject> {
  /** The resource that the informer caches. */
  readonly type: ResourceType<T>;
  /** The name of the informer in logs. */
  readonly name: string;
  /**
   * The read-only store of the informer, with its indexes; empty until the initial list is stored.
   */
  readonly indexer: IndexedStore<T>;
  /** The reader of the informer's store by key, namespace, label and index. */
  readonly lister: Lister<T>;
  readonly #options: SharedInformerOptions<T>;
  readonly #clock: Clock;
  readonly #fifo: DeltaFifo<T, readonly HandlerListener<T>[]>;
  readonly #feed: StoreFeed<T>;
  readonly #reflector: Reflector<T>;
  readonly #slice: TimeSlice;
  readonly #resyncs: ResyncSchedule<HandlerListener<T>>;
  readonly #resyncPeriodMs: number;
  readonly #coalesceAbove: number;
  readonly #sync = new SyncState();
  /**
   * The listeners of the informer's event handlers. The array is replaced and never changed, so
   * that an iteration is not affected by additions and removals.
   */
  #listeners: readonly HandlerListener<T>[] = [];
  /** Number of event handlers that were added without a name so far, removed ones included. */
  #added = 0;
  #stage: Stage = "new";
  /**
   * The signal that ends the informer; `undefined` before the run. Once the signal is aborted, no
   * handler can be added.
   */
  #signal: AbortSignal | undefined;

  /**
   * Creates a shared informer that is inactive until {@linkcode SharedInformer.run}.
   *
   * @throws {RangeError} If `resyncPeriodMs`, `coalesceAbove` or `sharedBytes` is negative or not a
   * number, or an index is named `namespace`.
   */
  constructor(options: SharedInformerOptions<T>) {
    const { type, listerWatcher, clock = systemClock, random = systemRandom } = options;
    this.#options = options;
    this.#clock = clock;
    this.type = type;
    this.name = options.name ?? type.id;
    this.#resyncPeriodMs = checkedResyncPeriod(
      options.resyncPeriodMs ?? 0,
      `informer ${this.name}`,
    );
    this.#coalesceAbove = options.coalesceAbove ?? COALESCE_ABOVE;
    if (!(this.#coalesceAbove >= 0)) {
      throw new RangeError(
        `Cannot make informer ${this.name}: coalesceAbove must be 0 or more: ` +
          `current value is ${this.#coalesceAbove}`,
      );
    }
    const indexer = new Indexer<T>({ ...options.indexers }, {
      onIndexError: (error) => this.#report(error),
      sharedBytes: options.sharedBytes,
      freeze: options.freeze,
    });
    this.indexer = indexer;
    this.lister = createLister(indexer, {
      clock,
      type,
      namespace: listerWatcher.namespace,
      name: `the cache of ${this.name}`,
    });
    this.#slice = new TimeSlice(clock, SLICE_MS);
    this.#fifo = new DeltaFifo(indexer);
    this.#resyncs = new ResyncSchedule(clock, (due) => {
      if (this.#feed.filled) this.#fifo.resync(due);
    });
    this.#feed = new StoreFeed({
      fifo: this.#fifo,
      indexer,
      handlers: () => this.#listeners,
      wantsUnchanged: (listener) => this.#resyncs.has(listener),
      onSynced: (notified) => {
        this.#sync.finish();
        for (const listener of notified) listener.pushInitialEnd();
      },
      slice: this.#slice,
      clock,
      freeze: options.freeze ?? false,
    });
    this.#reflector = new Reflector<T>({
      ...options.reflector,
      listerWatcher,
      sink: this.#fifo,
      packer: createPacker<T>(options),
      type,
      name: this.name,
      clock,
      random,
      onError: options.onError,
    });
  }

  /**
   * Reports whether the informer's store has received the complete initial list; remains true after
   * the informer is stopped. Event handlers may not have been notified of all the objects yet.
   */
  get synced(): boolean {
    return this.#sync.done;
  }

  /** The health of the informer's watch: a live view. */
  get health(): WatchHealth {
    return this.#reflector.health;
  }

  /** Number of event handlers that are registered with the informer now. */
  get handlerCount(): number {
    return this.#listeners.length;
  }

  /**
   * The shortest resync period of the informer's event handlers, in milliseconds; 0 when none has
   * one.
   */
  get resyncCheckPeriodMs(): number {
    return this.#resyncs.checkPeriodMs;
  }

  /**
   * Reports whether the informer was stopped: the signal of its run was aborted, or the run has
   * ended. Its store can still be read, but no longer changes.
   */
  get stopped(): boolean {
    return this.#stage === "stopped" || this.#signal?.aborted === true;
  }

  /**
   * Reports whether the informer received, in a list or watch event that is still queued, the
   * object of a key that its store does not have yet. False for a stored object, and for an absent
   * one that is not queued, which did not exist at the {@linkcode StoreReader.resourceVersion} of
   * the store.
   */
  hasQueued(key: ObjectKey): boolean {
    return this.indexer.getPacked(key) === undefined && this.#fifo.lastKnown(key) !== undefined;
  }

  /**
   * Adds an event handler to the informer, running or not. The handler is first notified,
   * asynchronously, of all stored objects, as additions. The same handler may be added several
   * times, and is then called as often.
   *
   * @throws {RangeError} If `resyncPeriodMs` is negative or not a number.
   * @throws {Error} If the informer was stopped.
   */
  addHandler(handler: EventHandler<T>, options: AddHandlerOptions = {}): HandlerRegistration {
    const name = options.name ?? `handler-${++this.#added}`;
    if (this.stopped) {
      throw new Error(
        `Cannot add ${name} to informer ${this.name}: it was stopped; make a new informer`,
      );
    }
    const { resyncPeriodMs } = options;
    const periodMs = resyncPeriodMs === undefined
      ? this.#resyncPeriodMs
      : checkedResyncPeriod(resyncPeriodMs, `handler ${name} of informer ${this.name}`);
    const listener = new HandlerListener<T>({
      name,
      informerName: this.name,
      handler,
      coalesceAbove: this.#coalesceAbove,
      stored: () => this.indexer.size,
      clock: this.#clock,
      slice: this.#slice,
      onRemove: (gone) => {
        this.#listeners = this.#listeners.filter((each) => each !== gone);
        this.#resyncs.delete(gone);
      },
    });
    this.#listeners = [...this.#listeners, listener];
    this.#resyncs.set(listener, periodMs);
    this.#replay(listener);
    return listener;
  }

  /**
   * Lists and watches until the signal is aborted, then resolves: no further call of a handler
   * begins, and running calls have ended. An informer runs once.
   *
   * @throws {Error} If the informer is running, or was stopped.
   * @throws {unknown} An error in the processing of lists and events, which ends the run.
   */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#stage !== "new") {
      throw new Error(
        `Cannot run informer ${this.name} twice: it ${
          this.#stage === "running" ? "runs already" : "was stopped; make a new informer"
        }`,
      );
    }
    this.#stage = "running";
    using stop = linkedAbort({ signals: [signal] });
    this.#signal = stop.signal;
    const ended: Promise<void>[] = [];
    const end = (): void => void ended.push(...this.#end());
    if (stop.signal.aborted) return end();
    stop.signal.addEventListener("abort", end, { once: true });
    logger.info("Informer {informer} starts", { informer: this.name });
    this.#resyncs.start();
    const parts = [this.#feed.run(stop.signal), this.#reflector.run(stop.signal)];
    const results = await Promise.allSettled(
      parts.map((part) => part.finally(() => stop.abort())),
    );
    await Promise.all(ended);
    logger.info("Informer {informer} stopped", { informer: this.name });
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }

  /**
   * Resolves once the informer's store has the complete initial list. Handlers may not have been
   * notified of all objects yet; see their registrations.
   *
   * @throws {unknown} The reason of `signal`, if it is aborted before that.
   * @throws {Error} If the informer is stopped before that.
   */
  whenSynced(signal?: AbortSignal): Promise<void> {
    return this.#sync.when(signal);
  }

  /**
   * Queues every stored object for a new event handler, in one step, so that no change is missed or
   * reported twice.
   */
  #replay(listener: HandlerListener<T>): void {
    this.#slice.restart();
    this.#feed.replay(listener);
  }

  /**
   * Stops the informer's handlers and resyncs, rejects the promises of callers that wait for its
   * first sync, and returns promises that resolve when the running calls of handlers have ended.
   */
  #end(): Promise<void>[] {
    this.#stage = "stopped";
    this.#resyncs.stop();
    this.#sync.fail(
      new Error(
        `Cannot sync informer ${this.name}: it was stopped before its first list was complete`,
      ),
    );
    return this.#listeners.map((listener) => listener.stop());
  }

  #report(error: unknown): void {
    logger.error("Informer {informer} cannot index an object: {reason}", {
      informer: this.name,
      reason: errorText(error),
      error,
    });
    try {
      ignoreRejection(this.#options.onError?.(error));
    } catch (thrown) {
      logger.error("Informer {informer}: onError threw: {reason}", {
        informer: this.name,
        reason: errorText(thrown),
      });
    }
  }
}
