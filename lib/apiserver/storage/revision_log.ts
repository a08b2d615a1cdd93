import { Arena, type StoredObject } from "./arena.ts";
import { Collection, type LogEvent } from "./collection.ts";
import type { LogListener, WriteFeed } from "./write_feed.ts";

/** A state to come back to. */
export interface LogSnapshot {
  readonly revision: number;
  readonly objects: readonly (readonly [collection: string, object: StoredObject])[];
}

/** The text of an object with another version. */
function withVersion(object: StoredObject, revision: number): string {
  const tree = object.tree();
  tree.metadata.resourceVersion = String(revision);
  return JSON.stringify(tree);
}

/**
 * The state of the cluster: one count of revisions over everything, each object as it is, and the
 * history since the last compaction, for watches and for lists at a past revision.
 *
 * Synchronous: a write is one call, and whoever subscribed has heard of it when the call returns.
 */
export class RevisionLog implements WriteFeed {
  readonly #arena = new Arena();
  readonly #collections = new Map<string, Collection>();
  readonly #listeners = new Set<LogListener>();
  readonly #resets = new Set<() => void>();
  #revision = 1;
  #compacted = 0;
  #beginning = 0;
  #resetCount = 0;

  /** The revision of the last write. */
  get revision(): number {
    return this.#revision;
  }

  /** The revision up to which history is forgotten. */
  get compactedRevision(): number {
    return this.#compacted;
  }

  /** The revision that watches can begin at: history is there since then, and the server was ready. */
  get watchableRevision(): number {
    return Math.max(this.#beginning, this.#compacted);
  }

  /** The revision that the next write will have: it stands in the text that is written. */
  get nextRevision(): number {
    return this.#revision + 1;
  }

  /** The number of times that the log was reset to an earlier revision. */
  get resets(): number {
    return this.#resetCount;
  }

  /** The bytes of all objects, as they are and in history. */
  get liveBytes(): number {
    return this.#arena.liveBytes;
  }

  /** The bytes of memory that they take. */
  get reservedBytes(): number {
    return this.#arena.reservedBytes;
  }

  /** All objects as they are, each with the name of its collection. */
  *objects(): Iterable<readonly [collection: string, object: StoredObject]> {
    for (const collection of this.#collections.values()) {
      for (const object of collection.list("")) yield [collection.name, object];
    }
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

  /** Listeners have been notified of every write that was made. */
  afterWrites(run: () => void): void {
    run();
  }

  /** Called before the log goes back to a revision that was: who follows it cannot go on. */
  onReset(listener: () => void): Disposable {
    this.#resets.add(listener);
    return { [Symbol.dispose]: () => void this.#resets.delete(listener) };
  }

  /** Watches cannot begin before now, as on a server that has just read what there is. */
  beginWatches(): void {
    this.#beginning = this.#revision;
  }

  /** Forgets the history up to a revision. */
  compact(revision: number): void {
    const upTo = Math.min(revision, this.#revision);
    if (upTo <= this.#compacted) return;
    this.#compacted = upTo;
    for (const collection of this.#collections.values()) collection.compact(upTo, this.#arena);
  }

  /** For a log that is empty: takes a state in, at a revision, without history. */
  load(
    objects: Iterable<{
      readonly collection: string;
      readonly key: string;
      readonly revision: number;
      readonly bytes: Uint8Array;
    }>,
    revision: number,
  ): void {
    for (const { collection, key, revision, bytes } of objects) {
      this.collection(collection).load(this.#arena.putBytes(key, revision, bytes));
    }
    this.#revision = revision;
    this.#compacted = revision;
  }

  /** The state as it is. Objects never change, so that this is quick, and copies nothing. */
  snapshot(): LogSnapshot {
    return { revision: this.#revision, objects: [...this.objects()] };
  }

  /**
   * Goes back to a state. `bump`: by writes, so that watches see it as changes, and revisions go on;
   * `keep`: the revision is that of the snapshot, history is forgotten, and those who watch are told
   * that they cannot go on. Either way all subscribers hear of what changed.
   */
  restore(snapshot: LogSnapshot, revisions: "keep" | "bump" = "bump"): void {
    if (revisions === "keep") {
      for (const listener of [...this.#resets]) listener();
    }
    const wanted = new Map(
      snapshot.objects.map(([collection, object]) => [`${collection} ${object.key}`, object]),
    );
    for (const [name, object] of [...this.objects()]) {
      if (!wanted.has(`${name} ${object.key}`)) this.#remove(name, object);
    }
    for (const [name, object] of snapshot.objects) {
      const collection = this.collection(name);
      const current = collection.get(object.key);
      if (current?.revision === object.revision) continue;
      const type = current ? "MODIFIED" : "ADDED";
      if (revisions === "keep") {
        this.#write(type, collection, object.key, object.text(), current, object.revision);
      } else {
        const text = withVersion(object, this.nextRevision);
        this.#write(type, collection, object.key, text, current);
      }
    }
    if (revisions === "bump") return;
    this.compact(this.#revision);
    this.#revision = this.#compacted = this.#beginning = snapshot.revision;
    this.#resetCount++;
  }

  #remove(name: string, object: StoredObject): void {
    const text = withVersion(object, this.nextRevision);
    this.#write("DELETED", this.collection(name), object.key, text, object);
  }

  #write(
    type: LogEvent["type"],
    collection: Collection,
    key: string,
    text: string,
    previous: StoredObject | undefined,
    ownRevision?: number,
  ): StoredObject {
    const revision = ++this.#revision;
    const object = this.#arena.put(key, ownRevision ?? revision, text);
    const event = { type, collection: collection.name, key, revision, object, previous };
    collection.apply(event);
    for (const listener of this.#listeners) listener(event);
    return object;
  }
}
