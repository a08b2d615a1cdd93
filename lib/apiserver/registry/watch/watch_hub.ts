// Mirrors `storage/cacher/cacher.go, Cacher`.
import type { LogEvent } from "../../storage/collection.ts";
import type { WriteFeed } from "../../storage/write_feed.ts";
import { EventView } from "./event_view.ts";

/** A listener that is notified of each write to one collection. */
export type WatchListener = (view: EventView) => void;

/**
 * The hub that notifies watchers of writes. All watchers of a collection share one view of each
 * write.
 */
export class WatchHub {
  /** The listeners of each collection, each with the function that ends its watch. */
  readonly #listeners = new Map<string, Map<WatchListener, () => void>>();

  readonly #feed: WriteFeed;

  /**
   * Creates a hub that notifies watchers of a feed's writes.
   *
   * @param feed The writes that watchers may see: all of the log, or only those that are on disk.
   */
  constructor(feed: WriteFeed) {
    this.#feed = feed;
    feed.subscribe((event) => this.#tell(event));
  }

  /** The revision up to which the hub has notified watchers. */
  get revision(): number {
    return this.#feed.revision;
  }

  /**
   * Subscribes a listener to every later write to a collection. Disposing of the result ends the
   * subscription. {@linkcode WatchHub.end} calls `end`.
   */
  subscribe(collection: string, listener: WatchListener, end: () => void): Disposable {
    let listeners = this.#listeners.get(collection);
    if (!listeners) this.#listeners.set(collection, listeners = new Map());
    listeners.set(listener, end);
    return {
      [Symbol.dispose]: () => {
        listeners.delete(listener);
        if (listeners.size === 0 && this.#listeners.get(collection) === listeners) {
          this.#listeners.delete(collection);
        }
      },
    };
  }

  /**
   * Ends all watches of a collection after the writes so far, because its resource is no longer
   * served in the same form.
   */
  end(collection: string): void {
    const ends = [...this.#listeners.get(collection)?.values() ?? []];
    this.#feed.afterWrites(() => ends.forEach((end) => end()));
  }

  #tell(event: LogEvent): void {
    const listeners = this.#listeners.get(event.collection);
    if (!listeners) return;
    const view = new EventView(event);
    for (const listener of listeners.keys()) listener(view);
  }
}
