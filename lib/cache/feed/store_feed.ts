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

/** Options of the class {@linkcode StoreFeed}, which fills the store of an informer. */
export interface StoreFeedOptions<T extends KubeObject = KubeObject> {
  readonly fifo: DeltaFifo<T, readonly HandlerListener<T>[]>;
  /** The store that the feed fills. The feed is its only writer. */
  readonly indexer: Indexer<T>;
  /** Returns the event handlers that are registered with the informer now. */
  readonly handlers: () => readonly HandlerListener<T>[];
  /**
   * Reports whether a relist notifies an event handler of unchanged objects too; in an informer,
   * whether the handler has a resync period.
   */
  readonly wantsUnchanged: (listener: HandlerListener<T>) => boolean;
  /**
   * Called once, when the initial list, or a watch event before any list, is stored and queued for
   * the event handlers; receives these handlers.
   */
  readonly onSynced: (notified: readonly HandlerListener<T>[]) => void;
  readonly slice: TimeSlice;
  readonly clock: Clock;
  /** Sets whether the parsed objects that event handlers share are deeply frozen. */
  readonly freeze: boolean;
}

/**
 * The consumer of a delta FIFO: changes the store, then notifies the handlers. Each change of the
 * store is one synchronous step; other work runs between steps when the time slice is used up.
 *
 * Additions and updates are determined by comparison with the store and by UID, not by the type
 * that the watch reported: an object of another UID under a known key is a deletion and an
 * addition.
 */
export class StoreFeed<T extends KubeObject = KubeObject> {
  readonly #options: StoreFeedOptions<T>;
  /**
   * Reports whether the store has the complete initial list, or has applied a watch event before
   * any list. Handlers that are added later receive the stored objects as a replay.
   */
  #filled = false;

  constructor(options: StoreFeedOptions<T>) {
    this.#options = options;
  }

  /**
   * Reports whether the store has the complete initial list, or has applied a watch event before
   * any list. Event handlers may not have been notified of all the objects yet.
   */
  get filled(): boolean {
    return this.#filled;
  }

  /**
   * Queues every stored object for one event handler as an addition, and then the marker of the end
   * of the initial objects if {@linkcode StoreFeed.filled} is true.
   */
  replay(listener: HandlerListener<T>): void {
    const { indexer, freeze } = this.#options;
    const now = indexer.list();
    listener.pushAll(new ChangeList({ now, takers: 1, isInInitialList: true, freeze }));
    if (this.#filled) listener.pushInitialEnd();
  }

  /**
   * Processes the items of the FIFO until the signal is aborted, which closes the FIFO: applies
   * list results and watch events to the store, and queues the changes and resyncs for the event
   * handlers.
   *
   * @throws {unknown} An error in the processing of an item, which ends the feed, unless the signal
   * is aborted.
   */
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
      for (const change of changes) this.#notifyAll(change);
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

  /**
   * Replaces all stored objects by those of a list in one step, and queues the differences for the
   * event handlers; also the unchanged objects, as updates, for the handlers that want these.
   */
  async #replace(item: ReplacedAll<T>, signal: AbortSignal): Promise<void> {
    const { indexer, handlers, slice, wantsUnchanged, onSynced } = this.#options;
    const { objects, resourceVersion } = item;
    // A server that was restored from a backup may reuse a version for another state.
    const wentBack = item.anew || isOlder(resourceVersion, indexer.resourceVersion);
    const isFirst = !this.#filled;
    // A handler that is added after the swap receives the new state as a replay.
    let notified: readonly HandlerListener<T>[] = [];
    await indexer.replaceInSlices(objects, {
      resourceVersion,
      lost: item.lost,
      reuse: !wentBack,
      noteUnchanged: handlers().some(wantsUnchanged),
      slice,
      signal,
      onSwap: (differences) => {
        this.#filled = true;
        notified = handlers();
        this.#notifyOf(differences, item, notified);
      },
    });
    if (isFirst) onSynced(notified);
  }

  #notifyOf(
    { now, before, unchanged }: Differences<T>,
    { isInInitialList }: ReplacedAll<T>,
    notified: readonly HandlerListener<T>[],
  ): void {
    const { wantsUnchanged, freeze } = this.#options;
    const notify = (
      listeners: readonly HandlerListener<T>[],
      lists: Pick<ChangeListOptions<T>, "now" | "before">,
    ): void => {
      const takers = listeners.length;
      const changes = new ChangeList({ ...lists, takers, isInInitialList, freeze });
      for (const listener of listeners) listener.pushAll(changes);
    };
    notify(notified, { now, before });
    notify(notified.filter(wantsUnchanged), { now: unchanged, before: unchanged });
  }

  async #sync(item: SyncAll<readonly HandlerListener<T>[]>, signal: AbortSignal): Promise<void> {
    const { indexer, slice, freeze } = this.#options;
    for (const packed of indexer.packed()) {
      if (!item.except.has(packed.key)) {
        const change = changeOf(packed, packed, { isInInitialList: false, freeze });
        for (const listener of item.requester) listener.push(change);
      }
      if (slice.used) await slice.next(signal);
    }
  }

  /**
   * Returns the cache events that lead from one version of an object to another: one, or a deletion
   * (with `finalStateUnknown`) and an addition if the UIDs differ.
   */
  #changes(old: PackedObject<T> | undefined, object: PackedObject<T>): Change<T>[] {
    const options = { isInInitialList: false, freeze: this.#options.freeze };
    return old === undefined || isSameObject(old, object)
      ? [changeOf(old, object, options)]
      : [changeOf(old, undefined, options), changeOf(undefined, object, options)];
  }

  #notifyAll(change: Change<T>): void {
    for (const listener of this.#options.handlers()) listener.push(change);
  }
}

function isOlder(version: string, than: string): boolean {
  return (compareResourceVersions(version, than) ?? 0) < 0;
}
