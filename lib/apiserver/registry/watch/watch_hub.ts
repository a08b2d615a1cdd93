import type { LogEvent } from "../../storage/collection.ts";
import type { WriteFeed } from "../../storage/write_feed.ts";
import { EventView } from "./event_view.ts";

/** Hears of the writes of one collection. */
export type WatchListener = (view: EventView) => void;

/** Tells watchers of writes: all of one collection see the same view of a write. */
export class WatchHub {
  /** The listeners of each collection, and how each is ended. */
  readonly #listeners = new Map<string, Map<WatchListener, () => void>>();

  readonly #feed: WriteFeed;

  /** @param feed The writes that may be seen: those of the log, or of them what is on the disk. */
  constructor(feed: WriteFeed) {
    this.#feed = feed;
    feed.subscribe((event) => this.#tell(event));
  }

  /** The revision up to which watchers have been notified. */
  get revision(): number {
    return this.#feed.revision;
  }

  /** Hears of the writes of a collection from now on; `end` is called by {@linkcode WatchHub.end}. */
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

  /** Ends all watches of a collection: what they show is not served any more as it was. */
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
