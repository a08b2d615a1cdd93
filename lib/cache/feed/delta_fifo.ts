import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import { Deque } from "../events/deque.ts";
import { KeyedObjects } from "../store/keyed_objects.ts";
import type { PackedObject, PackedObjects } from "../packed/packed_object.ts";
import type { ReflectorSink, ReplaceOptions } from "../reflector/reflector_sink.ts";

/** One change of one object. */
export interface Delta<T extends KubeObject = KubeObject> {
  /** The kind of change, as the watch reported it. */
  readonly type: "Added" | "Updated" | "Deleted";
  /** The object after the change; for a deletion, its last state. */
  readonly object: PackedObject<T>;
}

/** The changes of one key since the key was last popped, the oldest first. */
export interface KeyDeltas<T extends KubeObject = KubeObject> {
  /** The discriminator of {@linkcode FifoItem}. */
  readonly kind: "deltas";
  /** The key. */
  readonly key: ObjectKey;
  /** The changes. */
  readonly deltas: readonly Delta<T>[];
  /** Whether the object exists after that, in a state that could not be decoded. @default {false} */
  readonly lost?: boolean;
}

/** A replacement of all objects. */
export interface ReplacedAll<T extends KubeObject = KubeObject> {
  /** The discriminator of {@linkcode FifoItem}. */
  readonly kind: "replaced";
  /**
   * All objects there are. The store that they replace takes them over; see {@linkcode
   * Indexer.replaceInSlices}.
   */
  readonly objects: PackedObjects<T>;
  /** The resourceVersion of the list. */
  readonly resourceVersion: string;
  /** Whether this is the first item that the FIFO received. */
  readonly isInInitialList: boolean;
  /** Whether a stored object of the same version may differ; see {@linkcode ReplaceOptions}. */
  readonly anew: boolean;
  /** The keys of the objects that could not be decoded; see {@linkcode ReplaceOptions.lost}. */
  readonly lost?: ReadonlySet<ObjectKey | undefined> | undefined;
}

/** A request to notify the requester of all objects again. */
export interface SyncAll<Requester = unknown> {
  /** The discriminator of {@linkcode FifoItem}. */
  readonly kind: "sync";
  /** The requester. */
  readonly requester: Requester;
  /**
   * Keys with queued deltas when the request was made. They are left out, because the deltas
   * notify of them anyway.
   */
  readonly except: ReadonlySet<ObjectKey>;
}

/** An item that says that the watched objects have no other change up to a version. */
export interface BookmarkNote {
  /** The discriminator of {@linkcode FifoItem}. */
  readonly kind: "bookmark";
  /** The version. */
  readonly resourceVersion: string;
}

/** An item of a {@linkcode DeltaFifo}. */
export type FifoItem<T extends KubeObject = KubeObject, Requester = unknown> =
  | KeyDeltas<T>
  | ReplacedAll<T>
  | SyncAll<Requester>
  /** An object was added or changed, and not even its key could be decoded. */
  | { readonly kind: "lost" }
  | BookmarkNote;

/** The store of the FIFO's consumer, as far as the FIFO reads it. */
export interface KnownObjects<T extends KubeObject = KubeObject> {
  /** Number of stored objects. */
  readonly size: number;
  /** Returns the stored object of a key. */
  getPacked(key: ObjectKey): PackedObject<T> | undefined;
  /** The keys of objects that could not be stored. @default none */
  readonly lost?: ReadonlySet<ObjectKey | undefined>;
}

interface OpenKeyDeltas<T extends KubeObject> extends KeyDeltas<T> {
  readonly deltas: Delta<T>[];
  lost?: boolean;
}

/**
 * The queue between a reflector and a store.
 *
 * - Deltas of one key are collected in one item, at the position of the first; once popped, the
 *   key is queued at the end again. Different keys have no order.
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
  /** The items in the order in which they are popped. */
  readonly #items = new Deque<FifoItem<T, Requester>>();
  /**
   * The items of `#items` that further deltas of their key may join: those behind the last
   * replacement.
   */
  readonly #open = new Map<ObjectKey, OpenKeyDeltas<T>>();
  /** The store of the consumer. It lags behind `#items`. */
  readonly #known: KnownObjects<T>;
  /** The last replacement, until it is processed: newer than `#known`, older than `#open`. */
  #replaced: ReplacedAll<T> | undefined;
  /** Whether anything was ever queued. */
  #populated = false;
  /** Whether the first item was a replacement that is not processed yet. */
  #initialPending = false;
  #closed = false;
  /** Resolved when an item is queued or the FIFO is closed; set while the consumer waits. */
  #wake: PromiseWithResolvers<void> | undefined;

  /** Creates an empty FIFO in front of a store. */
  constructor(known: KnownObjects<T>) {
    this.#known = known;
  }

  /** Number of items. */
  get length(): number {
    return this.#items.length;
  }

  /**
   * Whether the initial state is processed: the first replacement, or nothing if another item came
   * first.
   */
  get synced(): boolean {
    return this.#populated && !this.#initialPending;
  }

  /** Reports whether deltas of a key are queued. */
  has(key: ObjectKey): boolean {
    return this.#open.has(key) || this.#queuedKeys().has(key);
  }

  /** Queues an addition. */
  add(object: PackedObject<T>): void {
    this.#put(object.key, { type: "Added", object });
  }

  /** Queues an update. */
  update(object: PackedObject<T>): void {
    this.#put(object.key, { type: "Updated", object });
  }

  /** Queues a deletion, unless the key is unknown. */
  delete(object: PackedObject<T>): void {
    const isKnown = this.#replaced !== undefined || this.#open.has(object.key) ||
      this.#known.getPacked(object.key) !== undefined || this.#known.lost?.has(object.key) === true;
    if (isKnown) this.#put(object.key, { type: "Deleted", object });
    else this.#populated = true;
  }

  /** Queues a replacement of all objects. */
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

  /** Queues a bookmark. */
  bookmark(resourceVersion: string): void {
    this.#push({ kind: "bookmark", resourceVersion });
  }

  /** Queues the note that an object exists and could not be decoded, unless a version of it is known. */
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

  /** Queues a sync of all objects except those with queued deltas. */
  resync(requester: Requester): void {
    this.#push({ kind: "sync", requester, except: this.#queuedKeys() });
  }

  /** Returns the newest version of an object, whether it is stored already or queued. */
  lastKnown(key: ObjectKey): PackedObject<T> | undefined {
    const last = this.#open.get(key)?.deltas.at(-1);
    if (last) return last.type === "Deleted" ? undefined : last.object;
    if (this.#replaced) return this.#replaced.objects.get(key);
    return this.#known.getPacked(key);
  }

  /**
   * Waits for the next item and calls `process` with it. The item counts as queued for {@linkcode
   * DeltaFifo.synced} and {@linkcode DeltaFifo.lastKnown} until `process` has ended.
   *
   * @returns Whether there was an item: `false` if the FIFO is closed and empty.
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
   * Closes the FIFO and ends every waiting {@linkcode DeltaFifo.pop}. Queued items may still be
   * popped; new ones are ignored.
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
