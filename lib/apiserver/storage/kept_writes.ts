import type { LogEvent } from "./collection.ts";
import type { RevisionLog } from "./revision_log.ts";
import type { LogListener, WriteFeed } from "./write_feed.ts";

/**
 * An entry of the queue of writes that are not yet on disk: a write, or a callback that waits for
 * the writes before it. `resets` is the number of resets of the log when the entry was queued.
 */
interface Entry {
  readonly resets: number;
  readonly revision: number;
  readonly event?: LogEvent;
  readonly run?: () => void;
}

/**
 * A feed that delays the notifications of a log's writes until {@linkcode KeptWrites.release}
 * reports them as durable.
 */
export class KeptWrites implements WriteFeed {
  readonly #log: RevisionLog;
  readonly #listeners = new Set<LogListener>();
  #held: Entry[] = [];

  constructor(log: RevisionLog) {
    this.#log = log;
  }

  get revision(): number {
    const first = this.#held.find((entry) => this.#counts(entry));
    return first ? first.revision - 1 : this.#log.revision;
  }

  subscribe(listener: LogListener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  afterWrites(run: () => void): void {
    if (this.#held.length === 0) return run();
    this.#held.push({ resets: this.#log.resets, revision: this.#log.revision + 1, run });
  }

  /** Delays the notification of a write that is not yet durable. */
  hold(event: LogEvent): void {
    this.#held.push({ resets: this.#log.resets, revision: event.revision, event });
  }

  /** The number of writes and callbacks that are delayed, for {@linkcode KeptWrites.release}. */
  get size(): number {
    return this.#held.length;
  }

  /**
   * Takes the first `count` entries of the queue: notifies the listeners of their writes, which are
   * now durable, and calls their callbacks. Writes from before a reset of the log are left out.
   */
  release(count: number): void {
    for (const entry of this.#held.splice(0, count)) {
      entry.run?.();
      // Watchers from before the reset were ended, and the write is not in the new history.
      if (!entry.event || !this.#counts(entry)) continue;
      for (const listener of this.#listeners) listener(entry.event);
    }
  }

  #counts({ resets }: Entry): boolean {
    return resets === this.#log.resets;
  }
}
