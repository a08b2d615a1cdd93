import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import { Deque } from "../events/deque.ts";
import { KeyedObjects } from "../store/keyed_objects.ts";
import type { PackedObject, PackedObjects } from "../packed/packed_object.ts";
import type { ReflectorSink, ReplaceOptions } from "../reflector/reflector_sink.ts";

/** One thing that happened to one object. */
export interface Delta<T extends KubeObject = KubeObject> {
  /** What happened, as the watch told it. */
  readonly type: "Added" | "Updated" | "Deleted";
  /** The object after it; with a deletion, its last state. */
  readonly object: PackedObject<T>;
}

/** What happened to the objects of one key since that key was popped last, the oldest first. */
export interface KeyDeltas<T extends KubeObject = KubeObject> {
  /** Tells it from the other items. */
  readonly kind: "deltas";
  /** The key. */
  readonly key: ObjectKey;
  /** What happened. */
  readonly deltas: readonly Delta<T>[];
  /** Whether the object exists after that, in a state that could not be decoded. @default {false} */
  readonly lost?: boolean;
}

/** These, and no others, are the objects. */
export interface ReplacedAll<T extends KubeObject = KubeObject> {
  /** Tells it from the other items. */
  readonly kind: "replaced";
  /** The objects. The one store that they replace takes them over; see {@linkcode Indexer.replaceInSlices}. */
  readonly objects: PackedObjects<T>;
  /** As of when. */
  readonly resourceVersion: string;
  /** Whether it is the first thing that the FIFO was given. */
  readonly isInInitialList: boolean;
  /** Whether a stored object of the same version may differ; see {@linkcode ReplaceOptions}. */
  readonly anew: boolean;
  /** The keys of the objects that could not be decoded; see {@linkcode ReplaceOptions.lost}. */
  readonly lost?: ReadonlySet<ObjectKey | undefined> | undefined;
}

/** Whoever asked for it is to be told of all objects again. */
export interface SyncAll<Who = unknown> {
  /** Tells it from the other items. */
  readonly kind: "sync";
  /** Who asked for it. */
  readonly who: Who;
  /** Keys that had deltas queued: those tell more than a sync would. */
  readonly except: ReadonlySet<ObjectKey>;
}

/** Nothing else changed up to this version. */
export interface BookmarkNote {
  /** Tells it from the other items. */
  readonly kind: "bookmark";
  /** The version. */
  readonly resourceVersion: string;
}

/** What a {@linkcode DeltaFifo} hands out. */
export type FifoItem<T extends KubeObject = KubeObject, Who = unknown> =
  | KeyDeltas<T>
  | ReplacedAll<T>
  | SyncAll<Who>
  /** An object was added or changed, and not even its key could be decoded. */
  | { readonly kind: "lost" }
  | BookmarkNote;

/** What the FIFO must know of the store that its consumer keeps. */
export interface KnownObjects<T extends KubeObject = KubeObject> {
  /** How many objects are stored. */
  readonly size: number;
  /** The stored object of a key. */
  getPacked(key: ObjectKey): PackedObject<T> | undefined;
  /** The keys of objects that could not be stored. @default none */
  readonly lost?: ReadonlySet<ObjectKey | undefined>;
}

interface OpenKeyDeltas<T extends KubeObject> extends KeyDeltas<T> {
  readonly deltas: Delta<T>[];
  lost?: boolean;
}

/**
 * The row between a reflector and a store.
 *
 * - Deltas of one key gather in one item, at the place of the first; once popped, the key enters at
 *   the tail again. Keys have no order among each other.
 * - A replacement of everything is one item. What was queued before it is popped before it; what comes
 *   after it is popped after it.
 * - The consumer changes the store while it works an item off; it must be one consumer.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createPacker, DeltaFifo, Indexer } from "@xca/operator/cache";
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
export class DeltaFifo<T extends KubeObject = KubeObject, Who = unknown>
  implements ReflectorSink<T> {
  /** The items in the order in which they are popped. */
  readonly #items = new Deque<FifoItem<T, Who>>();
  /** The items of `#items` that further deltas of their key may join: those behind the last replacement. */
  readonly #open = new Map<ObjectKey, OpenKeyDeltas<T>>();
  /** What the consumer keeps. Lags behind `#items`. */
  readonly #known: KnownObjects<T>;
  /** The last replacement, until it is worked off: newer than `#known`, older than `#open`. */
  #replaced: ReplacedAll<T> | undefined;
  /** Whether anything was ever put in. */
  #populated = false;
  /** Whether the first thing put in was a replacement that is not worked off yet. */
  #initialPending = false;
  #closed = false;
  /** Resolved when something is put in, or the FIFO is closed; set while somebody waits. */
  #wake: PromiseWithResolvers<void> | undefined;

  /** Makes an empty FIFO in front of a store. */
  constructor(known: KnownObjects<T>) {
    this.#known = known;
  }

  /** How many items wait. */
  get length(): number {
    return this.#items.length;
  }

  /**
   * Whether the first state is worked off: the first replacement, or, when something else came first,
   * nothing.
   */
  get synced(): boolean {
    return this.#populated && !this.#initialPending;
  }

  /** Whether deltas of a key wait. */
  has(key: ObjectKey): boolean {
    return this.#open.has(key) || this.#queuedKeys().has(key);
  }

  /** An object appeared. */
  add(object: PackedObject<T>): void {
    this.#put(object.key, { type: "Added", object });
  }

  /** An object changed. */
  update(object: PackedObject<T>): void {
    this.#put(object.key, { type: "Updated", object });
  }

  /** Queues a deletion, unless nothing is known of the key. */
  delete(object: PackedObject<T>): void {
    const isKnown = this.#replaced !== undefined || this.#open.has(object.key) ||
      this.#known.getPacked(object.key) !== undefined || this.#known.lost?.has(object.key) === true;
    if (isKnown) this.#put(object.key, { type: "Deleted", object });
    else this.#populated = true;
  }

  /** These, and no others, are the objects. */
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

  /** Nothing else changed up to a version. */
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

  /** Queues a sync of all objects but those whose deltas are queued. */
  resync(who: Who): void {
    this.#push({ kind: "sync", who, except: this.#queuedKeys() });
  }

  /** The newest version of an object that was handed over, be it stored already or waiting. */
  lastKnown(key: ObjectKey): PackedObject<T> | undefined {
    const last = this.#open.get(key)?.deltas.at(-1);
    if (last) return last.type === "Deleted" ? undefined : last.object;
    if (this.#replaced) return this.#replaced.objects.get(key);
    return this.#known.getPacked(key);
  }

  /**
   * Waits for the next item and lets `process` work it off. The item counts as waiting for
   * {@linkcode DeltaFifo.synced} and {@linkcode DeltaFifo.lastKnown} until `process` has ended.
   *
   * @returns Whether there was an item: `false` says that the FIFO is closed and empty.
   * @throws {unknown} What `process` throws; the item is gone all the same.
   */
  async pop(process: (item: FifoItem<T, Who>) => void | Promise<void>): Promise<boolean> {
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

  /** Ends every waiting {@linkcode DeltaFifo.pop}. What waits may still be popped; nothing is taken in. */
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

  #push(item: FifoItem<T, Who>): boolean {
    if (this.#closed) return false;
    this.#items.push(item);
    this.#wakeUp();
    return true;
  }

  #workedOff(item: FifoItem<T, Who>): void {
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
