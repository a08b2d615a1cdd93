import type { Clock, Timer } from "@xca/apimachinery/base";
import { LiveList } from "@xca/apimachinery/internal/base";
import {
  compareResourceVersions,
  keyOf,
  type KubeObject,
  type ObjectKey,
  type ResourceType,
} from "@xca/apimachinery/meta";
import type { InformerScope } from "../../cache/readers/informer_key.ts";
import { coverageOf, scopesWithout } from "../sources/coverage.ts";
import type { View, Views } from "../sources/view.ts";
import { groupResourceOf } from "../definition/group_resource.ts";

/** Interval at which a key that is held back is checked even without an event, in milliseconds. */
const RECHECK_MS = 1_000;

/**
 * Options of the class {@linkcode WriteLedger}, which records writes until the cache shows them.
 */
export interface WriteLedgerOptions {
  /** The informers of the controller. */
  readonly views: Views;
  /** The maximum time that a key waits for the cache to show its writes, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Called when a key that waited for the cache may run; `overdue` lists the objects, such as
   * `pods.v1 default/web`, whose writes the cache did not show in time; empty if it showed all.
   */
  readonly release: (key: ObjectKey, overdue: readonly string[]) => void;
  /**
   * Called when a run of `key` wrote an object; `object` is the server's response.
   *
   * @default {none}
   */
  readonly wrote?: (key: ObjectKey, type: ResourceType, object: KubeObject) => void;
  /**
   * Called when a run of `key` deleted an object, also as a member of a collection.
   *
   * @default {none}
   */
  readonly deleted?: (key: ObjectKey, type: ResourceType, objectKey: ObjectKey) => void;
  /** The clock for the wait of keys until the cache shows their writes. */
  readonly clock: Clock;
}

/**
 * A write in progress, with the deletions that the cache observes meanwhile. {@linkcode
 * WriteLedger.begin} makes it, and the sender of the write disposes it.
 */
export interface WriteInFlight extends Disposable {
  /**
   * The UIDs of the objects of the write's resource whose deletion the cache observed since
   * `begin`: a live set.
   */
  readonly deleted: ReadonlySet<string>;
  /**
   * The UID of the object to delete, for each informer whose store had the object at `begin`, and
   * for every informer when the request names the UID; empty for other writes.
   */
  readonly targets: ReadonlyMap<View, string>;
}

/**
 * The objects that a request to delete a collection applies to, as {@linkcode
 * WriteLedger.collection} returns them for {@linkcode WriteLedger.deletedCollection}.
 */
export type CollectionInFlight = readonly Pick<Expectation, "objectKey" | "uid">[];

/** The state of an object that the cache must show before a key may run again. */
interface Expectation {
  readonly view: View;
  readonly objectKey: ObjectKey;
  readonly uid: string;
  /**
   * The resourceVersion that was written; `undefined` for the deletion of an object that the cache
   * has.
   */
  readonly resourceVersion: string | undefined;
  /**
   * Reports whether the cache must show that the object is gone or is being deleted, although the
   * cache may not yet have shown the object at `resourceVersion`. Absent means false.
   */
  readonly gone?: boolean;
  /**
   * The object as the server returned it after the write; absent for a deletion of an object in the
   * cache, and if the server returned no whole object.
   */
  readonly written?: KubeObject | undefined;
  /**
   * The selectors of the deletion of a collection; absent for other writes. An object that no
   * longer matches them was not deleted.
   */
  readonly selection?: InformerScope;
}

interface Held {
  readonly sinceMs: number;
  timer: Timer;
}

/**
 * A record of the writes of each key's runs, until the cache shows them (read your own writes). A
 * key whose cache is older than its own last write is held back, so that a run does not mistake its
 * own work for missing and, for instance, create a child twice.
 *
 * The cache shows a write once every informer that has the object, or selects it for certain, has
 * that version or a newer one, or has received the object's deletion. A key waits for a new object
 * only in an informer that selects the object for certain ({@linkcode coverageOf}); where a field
 * selector leaves that open, the key does not wait, and the controller warns of that at its start.
 * Versions are compared within one resource only, and versions that cannot be compared hold nothing
 * back. A key is held for a limited time, so a cache that never shows a write cannot block it for
 * good.
 */
export class WriteLedger {
  readonly #options: WriteLedgerOptions;
  /**
   * The informers of the controller by group and resource, with those of all versions of the
   * resource.
   */
  readonly #views = new Map<string, readonly View[]>();
  /** The newest write that the cache does not show yet, per reconciled key and object. */
  readonly #expected = new Map<ObjectKey, Map<string, Expectation>>();
  /**
   * The reconciled keys that wait for the cache to show an object, per object: the inverse of
   * `#expected`.
   */
  readonly #waiting = new Map<string, Set<ObjectKey>>();
  /** The keys that are held back until the cache shows their writes. */
  readonly #held = new Map<ObjectKey, Held>();
  /** The sets of observed deletions of the writes in progress, by group and resource. */
  readonly #inFlight = new Map<string, LiveList<Set<string>>>();

  constructor(options: WriteLedgerOptions) {
    this.#options = options;
    for (const view of [...options.views.byType.values()].flat()) {
      const resource = groupResourceOf(view.scope.type);
      this.#views.set(resource, [...this.#views.get(resource) ?? [], view]);
    }
  }

  /** The number of keys that are held back until the cache shows their writes. */
  get held(): number {
    return this.#held.size;
  }

  /**
   * Returns the watched resource type with an id such as `deployments.v1.apps`; `undefined` when
   * the controller watches no resource with the id.
   */
  typeOf(id: string): ResourceType | undefined {
    return this.#options.views.byType.get(id)?.[0]?.scope.type;
  }

  /**
   * Returns the scopes of the controller's informers of a resource as a text when all of them leave
   * an object out, otherwise `undefined`; see {@linkcode ReconcileContext.outsideOf}.
   */
  outsideOf(type: ResourceType, object: KubeObject): string | undefined {
    return scopesWithout(this.#viewsOf(type).map(({ scope }) => scope), object);
  }

  /**
   * Begins to record a write, and returns the record for {@linkcode WriteLedger.wrote} or
   * {@linkcode WriteLedger.deleted}. The caller calls the method before it sends the request, and
   * disposes the result when the write is recorded or has failed. `objectKey` is the key of an
   * object to delete, `uid` the precondition of its deletion.
   */
  begin(type: ResourceType, objectKey?: ObjectKey, uid?: string): WriteInFlight {
    const deleted = new Set<string>();
    const targets = new Map<View, string>();
    for (const view of objectKey === undefined ? [] : this.#viewsOf(type)) {
      const target = uid ?? view.informer.indexer.getPacked(objectKey!)?.uid;
      if (target !== undefined) targets.set(view, target);
    }
    const resource = groupResourceOf(type);
    const flights = this.#inFlight.get(resource) ?? new LiveList();
    this.#inFlight.set(resource, flights);
    const flight = flights.add(deleted);
    return {
      deleted,
      targets,
      [Symbol.dispose]: () => flight[Symbol.dispose](),
    };
  }

  /**
   * Records that a run of `key` wrote an object, so that `key` waits until the cache shows the
   * version; `object` is the server's response. `isWhole` is false for a response that has the
   * version of the object and not its labels, such as a `Scale`.
   */
  wrote(
    key: ObjectKey,
    type: ResourceType,
    object: KubeObject,
    flight: WriteInFlight,
    { isWhole = true }: { readonly isWhole?: boolean } = {},
  ): void {
    this.#options.wrote?.(key, type, object);
    const { uid = "", resourceVersion = "" } = object.metadata;
    if (resourceVersion === "" || flight.deleted.has(uid)) return;
    const objectKey = keyOf(object);
    for (const view of this.#viewsOf(type)) {
      const isHeld = view.informer.indexer.getPacked(objectKey) !== undefined;
      const pending = this.#pending(key, view, objectKey);
      const written = isWhole ? object : pending?.written;
      const coverage = written && coverageOf(view.scope, written);
      if (isHeld || coverage === "inside") {
        this.#expect(key, { view, objectKey, uid, resourceVersion, written });
      } else if (coverage === "outside" && pending?.uid === uid) {
        // An earlier write of the run put the object into the view, and this one removes it again.
        this.#expect(key, { view, objectKey, uid, resourceVersion, gone: true });
      }
    }
  }

  /**
   * Records that a run of `key` deleted an object, so that `key` waits until the cache shows the
   * deletion or its start (a deletionTimestamp).
   */
  deleted(key: ObjectKey, type: ResourceType, objectKey: ObjectKey, flight: WriteInFlight): void {
    this.#options.deleted?.(key, type, objectKey);
    for (const view of this.#viewsOf(type)) {
      const pending = this.#pending(key, view, objectKey);
      const shown = view.informer.indexer.getPacked(objectKey);
      if (pending?.resourceVersion !== undefined && shown?.uid !== pending.uid) {
        this.#expect(key, { ...pending, gone: true });
        continue;
      }
      if (!shown || flight.deleted.has(shown.uid)) continue;
      // The object of another UID was created under the same name before the response arrived.
      if ((flight.targets.get(view) ?? shown.uid) !== shown.uid) continue;
      this.#expect(key, { view, objectKey, uid: shown.uid, resourceVersion: undefined });
    }
  }

  /**
   * Returns the objects that the deletion of a collection covers, by the stores of the informers
   * and the key's own writes. The caller calls this method before it sends the request: an object
   * that appears later may be a new one.
   */
  collection(key: ObjectKey, selection: InformerScope): CollectionInFlight {
    const members: Expectation[] = [];
    for (const view of this.#viewsOf(selection.type)) {
      for (const packed of view.informer.indexer.packed()) {
        if (packed.deletionTimestamp !== undefined) continue;
        const { namespace, name, labels, key: objectKey, uid } = packed;
        if (coverageOf(selection, { metadata: { namespace, name, labels } }) !== "inside") continue;
        members.push({ view, objectKey, uid, resourceVersion: undefined, selection });
      }
    }
    for (const pending of this.#expected.get(key)?.values() ?? []) {
      const { view, written, resourceVersion } = pending;
      if (written === undefined || resourceVersion === undefined) continue;
      if (
        groupResourceOf(view.scope.type) !== groupResourceOf(selection.type) ||
        this.#isShown(pending)
      ) continue;
      if (coverageOf(selection, written) !== "inside") continue;
      members.push({ ...pending, gone: true, selection });
    }
    return members;
  }

  /**
   * Records that a run of `key` deleted a collection, whose `members` were collected before the
   * request.
   */
  deletedCollection(key: ObjectKey, members: CollectionInFlight, flight: WriteInFlight): void {
    for (const member of members as readonly Expectation[]) {
      this.#options.deleted?.(key, member.view.scope.type, member.objectKey);
      if (!flight.deleted.has(member.uid)) this.#expect(key, member);
    }
  }

  /**
   * Records an event of an informer about an object, and releases the held keys whose writes the
   * cache now shows; `deletedUid` is the UID of the object if the event is a deletion.
   */
  observed(view: View, objectKey: ObjectKey, deletedUid?: string): void {
    if (deletedUid !== undefined) {
      for (const deleted of this.#inFlight.get(groupResourceOf(view.scope.type)) ?? []) {
        deleted.add(deletedUid);
      }
    }
    const id = this.#idOf(view, objectKey);
    for (const key of [...this.#waiting.get(id) ?? []]) {
      const expectation = this.#expected.get(key)?.get(id);
      if (!expectation) continue;
      if (expectation.uid === deletedUid || this.#isShown(expectation)) this.#drop(key, id);
      if (!this.#expected.has(key)) this.#release(key, []);
    }
  }

  /**
   * Reports whether the cache shows all writes of a key's runs, so that the key may run now.
   * Otherwise holds the key back, until the cache shows the writes or `timeoutMs` is over;
   * `release` is called then.
   */
  admits(key: ObjectKey): boolean {
    if (this.#settle(key)) {
      this.#unhold(key);
      return true;
    }
    if (!this.#held.has(key)) {
      this.#held.set(key, {
        sinceMs: this.#options.clock.monotonicMs(),
        timer: this.#recheckIn(key),
      });
    }
    return false;
  }

  /**
   * Returns the resource ids and keys of the objects whose writes a held key waits for; `undefined`
   * when the key is not held.
   */
  awaitedBy(key: ObjectKey): string[] | undefined {
    if (!this.#held.has(key)) return undefined;
    const expected = [...this.#expected.get(key)?.values() ?? []];
    return [...new Set(expected.map(({ view, objectKey }) => labelOf(view, objectKey)))];
  }

  /** Forgets all recorded writes and held keys, without releasing them, and stops all timers. */
  clear(): void {
    for (const key of [...this.#held.keys()]) this.#unhold(key);
    this.#expected.clear();
    this.#waiting.clear();
    this.#inFlight.clear();
  }

  #viewsOf(type: ResourceType): readonly View[] {
    return this.#views.get(groupResourceOf(type)) ?? [];
  }

  #idOf(view: View, objectKey: ObjectKey): string {
    return `${labelOf(view, objectKey)} ${this.#viewsOf(view.scope.type).indexOf(view)}`;
  }

  /**
   * Returns the state of an object that a key already waits for; `undefined` when the key waits for
   * none, or the cache shows that state.
   */
  #pending(key: ObjectKey, view: View, objectKey: ObjectKey): Expectation | undefined {
    const pending = this.#expected.get(key)?.get(this.#idOf(view, objectKey));
    return pending && !this.#isShown(pending) ? pending : undefined;
  }

  #expect(key: ObjectKey, expectation: Expectation): void {
    const id = this.#idOf(expectation.view, expectation.objectKey);
    if (this.#isShown(expectation)) return this.#drop(key, id);
    const expected = this.#expected.get(key) ?? new Map<string, Expectation>();
    this.#expected.set(key, expected.set(id, expectation));
    const waiting = this.#waiting.get(id) ?? new Set<ObjectKey>();
    this.#waiting.set(id, waiting.add(key));
  }

  #isShown(expectation: Expectation): boolean {
    const { view, objectKey, uid, resourceVersion, gone = false, selection } = expectation;
    const store = view.informer.indexer;
    const shown = store.getPacked(objectKey);
    if (shown && selection && shown.uid === uid) {
      const { namespace, name, labels } = shown;
      if (coverageOf(selection, { metadata: { namespace, name, labels } }) !== "inside") {
        return true;
      }
    }
    if (resourceVersion === undefined) {
      return !shown || shown.uid !== uid || shown.deletionTimestamp !== undefined;
    }
    if (shown && gone && shown.uid === uid) return shown.deletionTimestamp !== undefined;
    if (shown) return isAtLeast(shown.resourceVersion, resourceVersion);
    if (!isAtLeast(store.resourceVersion, resourceVersion)) return false;
    // The informer receives events in the order of versions, but stores those of one object
    // together: an absent object is either queued, or was deleted while the watch was disconnected.
    return !view.informer.hasQueued(objectKey);
  }

  /**
   * Drops the recorded writes of a key that the cache shows, and reports whether no recorded write
   * of the key is left.
   */
  #settle(key: ObjectKey): boolean {
    for (const [id, expectation] of this.#expected.get(key) ?? []) {
      if (this.#isShown(expectation)) this.#drop(key, id);
    }
    return !this.#expected.has(key);
  }

  #recheckIn(key: ObjectKey): Timer {
    const { clock, timeoutMs } = this.#options;
    return clock.after(Math.min(RECHECK_MS, timeoutMs), () => this.#recheck(key));
  }

  #recheck(key: ObjectKey): void {
    const held = this.#held.get(key);
    if (!held) return;
    if (this.#settle(key)) return this.#release(key, []);
    if (this.#options.clock.monotonicMs() - held.sinceMs < this.#options.timeoutMs) {
      held.timer = this.#recheckIn(key);
      return;
    }
    const overdue = [...this.#expected.get(key) ?? []];
    for (const [id] of overdue) this.#drop(key, id);
    const labels = overdue.map(([, { view, objectKey }]) => labelOf(view, objectKey));
    this.#release(key, [...new Set(labels)]);
  }

  #drop(key: ObjectKey, id: string): void {
    const expected = this.#expected.get(key);
    if (expected?.delete(id) && expected.size === 0) this.#expected.delete(key);
    const waiting = this.#waiting.get(id);
    if (waiting?.delete(key) && waiting.size === 0) this.#waiting.delete(id);
  }

  #release(key: ObjectKey, overdue: readonly string[]): void {
    if (!this.#unhold(key)) return;
    this.#options.release(key, overdue);
  }

  #unhold(key: ObjectKey): boolean {
    this.#held.get(key)?.timer[Symbol.dispose]();
    return this.#held.delete(key);
  }
}

function labelOf(view: View, objectKey: ObjectKey): string {
  return `${view.scope.type.id} ${objectKey}`;
}

/**
 * Reports whether a resourceVersion is at least as new as a written one; false for an empty
 * version. Versions that cannot be compared count as new enough, since holding a key back would not
 * help.
 */
function isAtLeast(shown: string, written: string): boolean {
  if (shown === "") return false;
  return (compareResourceVersions(shown, written) ?? 0) >= 0;
}
