import { Arena, type StoredObject } from "./arena.ts";
import { Collection, type LogEvent } from "./collection.ts";

/** Hears of each write, in the order of revisions. Must not throw. */
export type LogListener = (event: LogEvent) => void;

/**
 * The state of the cluster: one count of revisions over everything, each object as it is, and the
 * history since the last compaction, for watches and for lists at a past revision.
 *
 * Synchronous: a write is one call, and whoever subscribed has heard of it when the call returns.
 */
export class RevisionLog {
  readonly #arena = new Arena();
  readonly #collections = new Map<string, Collection>();
  readonly #listeners = new Set<LogListener>();
  #revision = 1;
  #compacted = 0;

  /** The revision of the last write. */
  get revision(): number {
    return this.#revision;
  }

  /** The revision up to which history is forgotten. */
  get compactedRevision(): number {
    return this.#compacted;
  }

  /** The revision that the next write will have: it stands in the text that is written. */
  get nextRevision(): number {
    return this.#revision + 1;
  }

  /** The objects of one resource. */
  collection(name: string): Collection {
    let collection = this.#collections.get(name);
    if (!collection) this.#collections.set(name, collection = new Collection(name));
    return collection;
  }

  /** Writes an object; `text` says {@linkcode RevisionLog.nextRevision} of itself. */
  put(collection: Collection, key: string, text: string): StoredObject {
    const previous = collection.get(key);
    return this.#write(previous ? "MODIFIED" : "ADDED", collection, key, text, previous);
  }

  /** Deletes an object; `text` is what is said of it last, with the deletion's revision. */
  delete(collection: Collection, key: string, text: string): StoredObject {
    return this.#write("DELETED", collection, key, text, collection.get(key)!);
  }

  /** Hears of each write from now on, in the order of revisions. */
  subscribe(listener: LogListener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Forgets the history up to a revision. */
  compact(revision: number): void {
    const upTo = Math.min(revision, this.#revision);
    if (upTo <= this.#compacted) return;
    this.#compacted = upTo;
    for (const collection of this.#collections.values()) collection.compact(upTo, this.#arena);
  }

  #write(
    type: LogEvent["type"],
    collection: Collection,
    key: string,
    text: string,
    previous: StoredObject | undefined,
  ): StoredObject {
    const revision = ++this.#revision;
    const object = this.#arena.put(key, revision, text);
    const event = { type, collection: collection.name, key, revision, object, previous };
    collection.apply(event);
    for (const listener of this.#listeners) listener(event);
    return object;
  }
}
