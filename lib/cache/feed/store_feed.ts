import type { Clock } from "@xca/apimachinery/base";
import type { TimeSlice } from "@xca/apimachinery/internal/base";
import { compareResourceVersions, type KubeObject } from "@xca/apimachinery/meta";
import { type Change, changeOf } from "../events/change.ts";
import { ChangeList, type ChangeListOptions } from "../events/change_list.ts";
import type { DeltaFifo, FifoItem, KeyDeltas, ReplacedAll, SyncAll } from "./delta_fifo.ts";
import type { Differences } from "../store/differences.ts";
import type { HandlerListener } from "../events/handler_listener.ts";
import type { Indexer } from "../store/indexer.ts";
import { observe } from "../events/observed_object.ts";
import { isSameObject } from "../packed/packed_entry.ts";
import type { PackedObject } from "../packed/packed_object.ts";

/** What a {@linkcode StoreFeed} works with. */
export interface StoreFeedOptions<T extends KubeObject = KubeObject> {
  readonly fifo: DeltaFifo<T, readonly HandlerListener<T>[]>;
  /** The store; nobody else writes to it. */
  readonly indexer: Indexer<T>;
  /** The handlers there are at the call. */
  readonly handlers: () => readonly HandlerListener<T>[];
  /** Whether a handler is told of unchanged objects by a replacement too. */
  readonly wantsUnchanged: (listener: HandlerListener<T>) => boolean;
  /** Called once the first state is in the store and with the handlers of that moment. */
  readonly onSynced: (told: readonly HandlerListener<T>[]) => void;
  readonly slice: TimeSlice;
  readonly clock: Clock;
  /** Whether the objects that handlers share are frozen. */
  readonly freeze: boolean;
}

/**
 * The consumer of a delta FIFO: changes the store, then tells the handlers. Each change of the store
 * shows in one synchronous step; between steps, other work has its turn at least every 10 ms.
 *
 * What happened is judged against the store and by UID, never by what the watch called it: an object
 * of another UID under a known key is a deletion and an addition.
 */
export class StoreFeed<T extends KubeObject = KubeObject> {
  readonly #options: StoreFeedOptions<T>;
  /** Whether the first state is in the store: who is added from now on gets it as a replay. */
  #filled = false;

  /** Makes a feed that stands until {@linkcode StoreFeed.run}. */
  constructor(options: StoreFeedOptions<T>) {
    this.#options = options;
  }

  /** Whether the store holds the first state whole. Handlers may still have to be told of it. */
  get filled(): boolean {
    return this.#filled;
  }

  /** Tells a handler, and no other, of what the store holds; and that this was all, where it is. */
  replay(listener: HandlerListener<T>): void {
    const { indexer, freeze } = this.#options;
    const now = indexer.list();
    listener.pushAll(new ChangeList({ now, takers: 1, isInInitialList: true, freeze }));
    if (this.#filled) listener.pushInitialEnd();
  }

  /** Works off what the FIFO gives until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { fifo, slice } = this.#options;
    const close = (): void => fifo.close();
    signal.addEventListener("abort", close, { once: true });
    try {
      let more = !signal.aborted;
      while (more && !signal.aborted) {
        if (fifo.length > 0 && slice.used) await slice.next(signal);
        const waited = fifo.length === 0;
        more = await fifo.pop((item) => {
          if (signal.aborted) return;
          if (waited) slice.restart();
          return this.#workOff(item, signal);
        });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      signal.removeEventListener("abort", close);
    }
  }

  #workOff(item: FifoItem<T, readonly HandlerListener<T>[]>, signal: AbortSignal) {
    switch (item.kind) {
      case "deltas":
        return this.#applyDeltas(item);
      case "replaced":
        return this.#replace(item, signal);
      case "sync":
        return this.#sync(item, signal);
      case "lost":
        return this.#options.indexer.noteLost(undefined);
      case "bookmark":
        return this.#options.indexer.noteResourceVersion(item.resourceVersion);
    }
  }

  #applyDeltas({ key, deltas, lost = false }: KeyDeltas<T>): void {
    for (const { type, object } of deltas) {
      const changes = type === "Deleted" ? this.#delete(object) : this.#upsert(object);
      for (const change of changes) this.#tellAll(change);
    }
    if (lost) this.#options.indexer.noteLost(key);
    if (this.#filled) return;
    this.#filled = true;
    this.#options.onSynced(this.#options.handlers());
  }

  #upsert(object: PackedObject<T>): Change<T>[] {
    const { indexer } = this.#options;
    const old = indexer.getPacked(object.key);
    if (old?.sameVersionAs(object)) return [];
    indexer.upsert(object);
    return this.#changes(old, object);
  }

  #delete(object: PackedObject<T>): Change<T>[] {
    const { indexer, freeze } = this.#options;
    const { key, resourceVersion } = object;
    const old = indexer.getPacked(key);
    const isOfOther = old !== undefined && !isSameObject(old, object);
    if (isOfOther && isOlder(resourceVersion, old.resourceVersion)) {
      indexer.noteResourceVersion(resourceVersion);
      return [];
    }
    indexer.delete(key, resourceVersion);
    if (!old) return [];
    const last = isOfOther
      ? observe(old, { finalStateUnknown: true, freeze })
      : observe(object, { freeze });
    return [{ type: "delete", last }];
  }

  /** Swaps the store whole, in one step, and tells of what that changes. */
  async #replace(item: ReplacedAll<T>, signal: AbortSignal): Promise<void> {
    const { indexer, handlers, slice, wantsUnchanged, onSynced } = this.#options;
    const { objects, resourceVersion } = item;
    // A server that was restored from a backup may use a version again for another state.
    const wentBack = item.anew || isOlder(resourceVersion, indexer.resourceVersion);
    const isFirst = !this.#filled;
    // Who is added after the swap is told of the new state by a replay.
    let told: readonly HandlerListener<T>[] = [];
    await indexer.replaceInSlices(objects, {
      resourceVersion,
      lost: item.lost,
      reuse: !wentBack,
      noteUnchanged: handlers().some(wantsUnchanged),
      slice,
      signal,
      onSwap: (differences) => {
        this.#filled = true;
        told = handlers();
        this.#tellOf(differences, item, told);
      },
    });
    if (isFirst) onSynced(told);
  }

  #tellOf(
    { now, before, unchanged }: Differences<T>,
    { isInInitialList }: ReplacedAll<T>,
    told: readonly HandlerListener<T>[],
  ): void {
    const { wantsUnchanged, freeze } = this.#options;
    const tell = (
      listeners: readonly HandlerListener<T>[],
      lists: Pick<ChangeListOptions<T>, "now" | "before">,
    ): void => {
      const takers = listeners.length;
      const changes = new ChangeList({ ...lists, takers, isInInitialList, freeze });
      for (const listener of listeners) listener.pushAll(changes);
    };
    tell(told, { now, before });
    tell(told.filter(wantsUnchanged), { now: unchanged, before: unchanged });
  }

  async #sync(item: SyncAll<readonly HandlerListener<T>[]>, signal: AbortSignal): Promise<void> {
    const { indexer, slice, freeze } = this.#options;
    for (const packed of indexer.packed()) {
      if (!item.except.has(packed.key)) {
        const change = changeOf(packed, packed, { isInInitialList: false, freeze });
        for (const listener of item.who) listener.push(change);
      }
      if (slice.used) await slice.next(signal);
    }
  }

  /** What became of `old` when `object` is there now. */
  #changes(old: PackedObject<T> | undefined, object: PackedObject<T>): Change<T>[] {
    const options = { isInInitialList: false, freeze: this.#options.freeze };
    return old === undefined || isSameObject(old, object)
      ? [changeOf(old, object, options)]
      : [changeOf(old, undefined, options), changeOf(undefined, object, options)];
  }

  #tellAll(change: Change<T>): void {
    for (const listener of this.#options.handlers()) listener.push(change);
  }
}

function isOlder(version: string, than: string): boolean {
  return (compareResourceVersions(version, than) ?? 0) < 0;
}
