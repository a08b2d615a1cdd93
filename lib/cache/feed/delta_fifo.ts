import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import { Deque } from "../events/deque.ts";
import { KeyedObjects } from "../store/keyed_objects.ts";
import type { PackedObject, PackedObjects } from "../packed/packed_object.ts";
import type { ReflectorSink, ReplaceOptions } from "../reflector/reflector_sink.ts";

/** One watch event about one object, as queued in a {@linkcode DeltaFifo}. */
export interface Delta<T extends KubeObject = KubeObject> {
  /**
   * The type of the watch event: `Added` for ADDED, `Updated` for MODIFIED, `Deleted` for DELETED.
   */
  readonly type: "Added" | "Updated" | "Deleted";
  /**
   * The object after the watch event; for a deletion, the final state as the DELETED event carried
   * it.
   */
  readonly object: PackedObject<T>;
}

/** An item of a {@linkcode DeltaFifo}: the queued watch events of one object, the oldest first. */
export interface KeyDeltas<T extends KubeObject = KubeObject> {
  /** The discriminator of {@linkcode FifoItem}: watch events of one object. */
  readonly kind: "deltas";
  /**
   * The key (`namespace/name`, or `name` when cluster-scoped) of the object that the queued watch
   * events are about.
   */
  readonly key: ObjectKey;
  /** The queued watch events of the object, the oldest first. */
  readonly deltas: readonly Delta<T>[];
  /**
   * Reports whether, after the queued deltas, the object exists in a state that could not be
   * decoded or transformed, while neither the store nor the FIFO had a version of the object.
   *
   * @default {false}
   */
  readonly lost?: boolean;
}

/** An item of a {@linkcode DeltaFifo}: a list result that replaces all objects of the store. */
export interface ReplacedAll<T extends KubeObject = KubeObject> {
  /** The discriminator of {@linkcode FifoItem}: a list result. */
  readonly kind: "replaced";
  /**
   * All objects of the list. The store takes the collection over; see
   * {@linkcode Indexer.replaceInSlices}.
   */
  readonly objects: PackedObjects<T>;
  /** The resourceVersion of the list that replaces the objects of the store. */
  readonly resourceVersion: string;
  /**
   * A flag that is true if the FIFO received neither another list nor a watch event about an object
   * with a known key before the list.
   */
  readonly isInInitialList: boolean;
  /**
   * Reports whether a stored object with the resourceVersion of a listed one may differ from the
   * listed object, because the server was restored from a backup; see {@linkcode
   * ReplaceOptions.anew}.
   */
  readonly anew: boolean;
  /**
   * The keys of listed objects that could not be decoded or transformed and are therefore not among
   * `objects`; see {@linkcode ReplaceOptions.lost}.
   */
  readonly lost?: ReadonlySet<ObjectKey | undefined> | undefined;
}

/**
 * An item of a {@linkcode DeltaFifo}: a resync, for which the consumer notifies event handlers of
 * all stored objects again.
 */
export interface SyncAll<Requester = unknown> {
  /** The discriminator of {@linkcode FifoItem}: a resync. */
  readonly kind: "sync";
  /**
   * The value that the caller of {@linkcode DeltaFifo.resync} passed; in an informer, the event
   * handlers to notify.
   */
  readonly requester: Requester;
  /**
   * The keys of objects with events in the FIFO when the resync was requested. The resync leaves
   * them out, because their events notify the handlers anyway.
   */
  readonly except: ReadonlySet<ObjectKey>;
}

/**
 * An item of a {@linkcode DeltaFifo}: a watch bookmark, that is, no other change happened up to a
 * version.
 */
export interface BookmarkNote {
  /** The discriminator of {@linkcode FifoItem}: a bookmark. */
  readonly kind: "bookmark";
  /** The resourceVersion of the bookmark. */
  readonly resourceVersion: string;
}

/**
 * An item of a {@linkcode DeltaFifo}: events of one object, a list result, a resync, a bookmark, or
 * a lost event.
 */
export type FifoItem<T extends KubeObject = KubeObject, Requester = unknown> =
  | KeyDeltas<T>
  | ReplacedAll<T>
  | SyncAll<Requester>
  /** A watch event whose object, including its key, could not be decoded. */
  | { readonly kind: "lost" }
  | BookmarkNote;

/**
 * The interface by which a {@linkcode DeltaFifo} reads its consumer's store, usually an {@linkcode
 * Indexer}.
 */
export interface KnownObjects<T extends KubeObject = KubeObject> {
  /** Number of objects in the store behind the FIFO. */
  readonly size: number;
  /** Returns the stored object of a key; `undefined` if the store has none. */
  getPacked(key: ObjectKey): PackedObject<T> | undefined;
  /**
   * The keys of objects that exist on the server but could not be stored; `undefined` stands for
   * objects whose key is not known either.
   *
   * @default none
   */
  readonly lost?: ReadonlySet<ObjectKey | undefined>;
}

interface OpenKeyDeltas<T extends KubeObject> extends KeyDeltas<T> {
  readonly deltas: Delta<T>[];
  lost?: boolean;
}

/**
 * The queue of watch events and lists between a reflector and a store.
 *
 * - Deltas of one key are collected in one item, at the position of the first; a delta that arrives
 *   after the item was popped, or after a later list was queued, begins a new item at the end.
 *   Different keys have no order.
 * - A replacement of all objects is one item. Items queued before it are popped before it, later
 *   ones after it.
 * - The consumer changes the store while it processes an item; there must be one consumer only.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createPacker } from "../packed/packer.ts";
 * import { DeltaFifo } from "./delta_fifo.ts";
 * import { Indexer } from "../store/indexer.ts";
 * import { Pod } from "@xca/operator/meta";
 *
 * const fifo = new DeltaFifo(new Indexer());
 * const packer = createPacker({ type: Pod });
 * const pod = packer.packObject({ metadata: { name: "web", uid: "1", resourceVersion: "1" } });
 * fifo.add(pod);
 * fifo.update(pod);
 * await fifo.pop((item) => {
 *   assert(item.kind === "deltas");
 *   assert.deepEqual(item.deltas.map(({ type }) => type), ["Added", "Updated"]);
 * });
 * ```
 */
export class DeltaFifo<T extends KubeObject = KubeObject, Requester = unknown>
  implements ReflectorSink<T> {
  /** The FIFO's items in the order in which they are popped. */
  readonly #items = new Deque<FifoItem<T, Requester>>();
  /**
   * The FIFO's items to which further events of their objects are added: those after the last list
   * result.
   */
  readonly #open = new Map<ObjectKey, OpenKeyDeltas<T>>();
  /**
   * The store of the FIFO's consumer. The store lacks the changes that are still queued in
   * `#items`.
   */
  readonly #known: KnownObjects<T>;
  /**
   * The last list result in the FIFO, until it is processed; `undefined` if there is none. The
   * list's objects are newer than those of the store (`#known`), and older than the events in
   * `#open`.
   */
  #replaced: ReplacedAll<T> | undefined;
  /**
   * A flag that is true once the FIFO has received a list, or a watch event about an object whose
   * key is known.
   */
  #populated = false;
  /**
   * A flag that is true while the consumer has still to process a list result that was the FIFO's
   * first item.
   */
  #initialPending = false;
  #closed = false;
  /**
   * The promise that the FIFO's waiting consumer awaits: resolved when an item is queued or the
   * FIFO is closed. `undefined` while no consumer waits.
   */
  #wake: PromiseWithResolvers<void> | undefined;

  /** Creates an empty FIFO of changes to a store. */
  constructor(known: KnownObjects<T>) {
    this.#known = known;
  }

  /** Number of items queued in the FIFO, without an item that the consumer is processing. */
  get length(): number {
    return this.#items.length;
  }

  /**
   * Reports whether the FIFO's consumer has processed the initial list, with or without an error.
   * Also true if a watch event about an object came before any list, and once the initial list is
   * queued while both the list and the store are empty.
   */
  get synced(): boolean {
    return this.#populated && !this.#initialPending;
  }

  /**
   * Reports whether watch events of an object (or that it is lost) are queued in the FIFO. A queued
   * list result that includes the object does not count.
   */
  has(key: ObjectKey): boolean {
    return this.#open.has(key) || this.#queuedKeys().has(key);
  }

  /** Queues an ADDED watch event of an object; ignored once the FIFO is closed. */
  add(object: PackedObject<T>): void {
    this.#put(object.key, { type: "Added", object });
  }

  /** Queues a MODIFIED watch event of an object; ignored once the FIFO is closed. */
  update(object: PackedObject<T>): void {
    this.#put(object.key, { type: "Updated", object });
  }

  /**
   * Queues a DELETED event of an object, unless neither the store nor the FIFO can have the object.
   * Replaces a DELETED event of the same UID that is the last one queued for the object.
   */
  delete(object: PackedObject<T>): void {
    const isKnown = this.#replaced !== undefined || this.#open.has(object.key) ||
      this.#known.getPacked(object.key) !== undefined || this.#known.lost?.has(object.key) === true;
    if (isKnown) this.#put(object.key, { type: "Deleted", object });
    else this.#populated = true;
  }

  /**
   * Queues a list result, which replaces all objects of the store. A {@linkcode KeyedObjects} is
   * taken over unless it has an owner; other objects are copied.
   */
  replace(
    given: Iterable<PackedObject<T>>,
    resourceVersion: string,
    { anew = false, lost }: ReplaceOptions = {},
  ): void {
    const objects = KeyedObjects.own(given);
    const isFirst = !this.#populated;
    const item: ReplacedAll<T> = {
      kind: "replaced",
      objects,
      resourceVersion,
      isInInitialList: isFirst,
      anew,
      lost,
    };
    if (isFirst) this.#initialPending = objects.size > 0 || this.#known.size > 0;
    this.#populated = true;
    this.#open.clear();
    this.#replaced = item;
    this.#push(item);
  }

  /**
   * Queues a bookmark, which states that no other change happened up to its resourceVersion;
   * ignored once the FIFO is closed.
   */
  bookmark(resourceVersion: string): void {
    this.#push({ kind: "bookmark", resourceVersion });
  }

  /**
   * Queues the fact that an object exists and could not be decoded or transformed, unless a version
   * of the object is known. For an object whose key is not known (`undefined`), always queues it.
   */
  lost(key: ObjectKey | undefined): void {
    if (key === undefined) return void this.#push({ kind: "lost" });
    if (this.lastKnown(key) !== undefined) return;
    this.#populated = true;
    const open = this.#open.get(key);
    if (open) {
      open.lost = true;
      return;
    }
    const item: OpenKeyDeltas<T> = { kind: "deltas", key, deltas: [], lost: true };
    if (this.#push(item)) this.#open.set(key, item);
  }

  /**
   * Queues a resync on behalf of `requester`, which covers all stored objects except those with
   * queued events.
   */
  resync(requester: Requester): void {
    this.#push({ kind: "sync", requester, except: this.#queuedKeys() });
  }

  /**
   * Returns the newest version of an object, stored or still in the FIFO; `undefined` if there is
   * none, if the newest event of the object is a deletion, or if a newer list result in the FIFO
   * lacks the object.
   */
  lastKnown(key: ObjectKey): PackedObject<T> | undefined {
    const last = this.#open.get(key)?.deltas.at(-1);
    if (last) return last.type === "Deleted" ? undefined : last.object;
    if (this.#replaced) return this.#replaced.objects.get(key);
    return this.#known.getPacked(key);
  }

  /**
   * Waits for the FIFO's next item and calls `process` with it. A list result counts as queued for
   * {@linkcode DeltaFifo.synced} and {@linkcode DeltaFifo.lastKnown} until `process` has ended.
   *
   * @returns `true` once an item was processed, `false` if the FIFO is closed and empty.
   * @throws {unknown} The error of `process`; the item is removed all the same.
   */
  async pop(process: (item: FifoItem<T, Requester>) => void | Promise<void>): Promise<boolean> {
    while (this.#items.length === 0) {
      if (this.#closed) return false;
      await (this.#wake ??= Promise.withResolvers()).promise;
    }
    const item = this.#items.shift()!;
    if (item.kind === "deltas" && this.#open.get(item.key) === item) this.#open.delete(item.key);
    try {
      const working = process(item);
      if (working) await working;
    } finally {
      this.#workedOff(item);
    }
    return true;
  }

  /**
   * Closes the FIFO: a waiting {@linkcode DeltaFifo.pop} resolves to `false`. Queued items may
   * still be popped; new items are ignored.
   */
  close(): void {
    this.#closed = true;
    this.#wakeUp();
  }

  #put(key: ObjectKey, delta: Delta<T>): void {
    this.#populated = true;
    const open = this.#open.get(key);
    if (!open) {
      const item: OpenKeyDeltas<T> = { kind: "deltas", key, deltas: [delta] };
      if (this.#push(item)) this.#open.set(key, item);
      return;
    }
    open.lost = false;
    const last = open.deltas.at(-1);
    const isSameDeletion = delta.type === "Deleted" && last?.type === "Deleted" &&
      delta.object.uid === last.object.uid;
    if (isSameDeletion) open.deltas.pop();
    open.deltas.push(delta);
  }

  #push(item: FifoItem<T, Requester>): boolean {
    if (this.#closed) return false;
    this.#items.push(item);
    this.#wakeUp();
    return true;
  }

  #workedOff(item: FifoItem<T, Requester>): void {
    if (item.kind !== "replaced") return;
    if (item.isInInitialList) this.#initialPending = false;
    if (this.#replaced === item) this.#replaced = undefined;
  }

  #wakeUp(): void {
    this.#wake?.resolve();
    this.#wake = undefined;
  }

  #queuedKeys(): Set<ObjectKey> {
    const keys = new Set<ObjectKey>();
    for (const item of this.#items) if (item.kind === "deltas") keys.add(item.key);
    return keys;
  }
}
