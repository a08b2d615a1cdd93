import type { LogEvent } from "../storage/collection.ts";
import type { RevisionLog } from "../storage/revision_log.ts";
import { EventView } from "./event_view.ts";

/** Hears of the writes of one collection. */
export type WatchListener = (view: EventView) => void;

/** Tells watchers of writes: all of one collection see the same view of a write. */
export class WatchHub {
  readonly #listeners = new Map<string, Set<WatchListener>>();

  constructor(log: RevisionLog) {
    log.subscribe((event) => this.#tell(event));
  }

  /** Hears of the writes of a collection from now on. */
  subscribe(collection: string, listener: WatchListener): Disposable {
    let listeners = this.#listeners.get(collection);
    if (!listeners) this.#listeners.set(collection, listeners = new Set());
    listeners.add(listener);
    return {
      [Symbol.dispose]: () => {
        listeners.delete(listener);
        if (listeners.size === 0 && this.#listeners.get(collection) === listeners) {
          this.#listeners.delete(collection);
        }
      },
    };
  }

  #tell(event: LogEvent): void {
    const listeners = this.#listeners.get(event.collection);
    if (!listeners) return;
    const view = new EventView(event);
    for (const listener of listeners) listener(view);
  }
}
