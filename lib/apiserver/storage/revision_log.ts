import { Arena, type StoredObject } from "./arena.ts";
import { Collection, type LogEvent } from "./collection.ts";
import type { LogListener, WriteFeed } from "./write_feed.ts";

/**
 * A snapshot of the storage, from {@linkcode RevisionLog.snapshot}: a state that {@linkcode
 * RevisionLog.restore} restores.
 */
export interface LogSnapshot {
  readonly revision: number;
  readonly objects: readonly (readonly [collection: string, object: StoredObject])[];
}

/** Returns the JSON text of a stored object with its resourceVersion replaced. */
function withVersion(object: StoredObject, revision: number): string {
  const tree = object.tree();
  tree.metadata.resourceVersion = String(revision);
  return JSON.stringify(tree);
}

/**
 * The storage of the cluster: the current objects, and the history since the last compaction for
 * watches and lists at earlier revisions. One revision counter spans all resources.
 *
 * Writes are synchronous: all subscribers have been notified when a write returns.
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

  /**
   * The revision of the last write to the storage; before the first write, the loaded revision, or
   * 1 in an empty log.
   */
  get revision(): number {
    return this.#revision;
  }

  /** The revision up to which the storage's history was compacted; 0 if the history is complete. */
  get compactedRevision(): number {
    return this.#compacted;
  }

  /**
   * The oldest revision that a watch of the storage can begin at: that of the last compaction or
   * that of the server's start, whichever is later.
   */
  get watchableRevision(): number {
    return Math.max(this.#beginning, this.#compacted);
  }

  /**
   * The revision that the storage's next write will have, which the written object must have as its
   * resourceVersion.
   */
  get nextRevision(): number {
    return this.#revision + 1;
  }

  /**
   * The number of times that a restore reset the storage to the revision of a snapshot, since the
   * log was created.
   */
  get resets(): number {
    return this.#resetCount;
  }

  /** The size of all objects of the storage, current and historic, in bytes. */
  get liveBytes(): number {
    return this.#arena.liveBytes;
  }

  /**
   * The size of the memory that the storage has allocated for its objects, in bytes, free memory
   * included.
   */
  get reservedBytes(): number {
    return this.#arena.reservedBytes;
  }

  /** Yields all current objects of the storage, each with the name of its collection. */
  *objects(): Iterable<readonly [collection: string, object: StoredObject]> {
    for (const collection of this.#collections.values()) {
      for (const object of collection.list("")) yield [collection.name, object];
    }
  }

  /**
   * Returns the storage's collection of a resource, given its plural and group, such as
   * `deployments.apps`; creates the collection if it is missing.
   */
  collection(name: string): Collection {
    let collection = this.#collections.get(name);
    if (!collection) this.#collections.set(name, collection = new Collection(name));
    return collection;
  }

  /**
   * Creates or replaces the object of a key in the storage, and returns the stored object. The
   * resourceVersion in its JSON `text` must be {@linkcode RevisionLog.nextRevision}.
   */
  put(collection: Collection, key: string, text: string): StoredObject {
    const previous = collection.get(key);
    return this.#write(previous ? "MODIFIED" : "ADDED", collection, key, text, previous);
  }

  /**
   * Deletes an existing object from the storage, and returns its last state. `text` is the JSON of
   * the object's last state, with the revision of the deletion ({@linkcode
   * RevisionLog.nextRevision}) as its resourceVersion.
   */
  delete(collection: Collection, key: string, text: string): StoredObject {
    return this.#write("DELETED", collection, key, text, collection.get(key)!);
  }

  /**
   * Subscribes a listener to each later write to the storage, in the order of revisions. Disposing
   * the result ends the subscription.
   */
  subscribe(listener: LogListener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /**
   * Calls `run` at once, since listeners of the revision log have already been notified of all
   * writes.
   */
  afterWrites(run: () => void): void {
    run();
  }

  /**
   * Registers a listener, which {@linkcode RevisionLog.restore} calls before it resets the storage
   * to the revision of a snapshot. Disposing the result removes the listener.
   */
  onReset(listener: () => void): Disposable {
    this.#resets.add(listener);
    return { [Symbol.dispose]: () => void this.#resets.delete(listener) };
  }

  /**
   * Makes the storage's current revision the oldest that watches can begin at, as after the start
   * of a server.
   */
  beginWatches(): void {
    this.#beginning = this.#revision;
  }

  /**
   * Drops the storage's history up to and including a revision; without effect if that is compacted
   * already.
   */
  compact(revision: number): void {
    const upTo = Math.min(revision, this.#revision);
    if (upTo <= this.#compacted) return;
    this.#compacted = upTo;
    for (const collection of this.#collections.values()) collection.compact(upTo, this.#arena);
  }

  /** Loads a state at a revision into an empty revision log, without history. */
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

  /**
   * Returns a snapshot of the storage's current state. Stored objects are immutable, so that none
   * is copied.
   */
  snapshot(): LogSnapshot {
    return { revision: this.#revision, objects: [...this.objects()] };
  }

  /**
   * Restores the storage to a snapshot. `bump`, the default, writes the differences as new
   * revisions, which watches report; `keep` sets the revision of the snapshot, drops the history,
   * and ends all watches. Subscribers are notified of all changes in both cases.
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
      // A revision may name two states, since `keep` sets the counter back.
      if (current === object || current?.text() === object.text()) continue;
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
