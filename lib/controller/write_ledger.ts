import type { Clock, Timer } from "@xca/apimachinery/base";
import {
  compareResourceVersions,
  keyOf,
  type KubeObject,
  type ObjectKey,
  type ResourceType,
} from "@xca/apimachinery/meta";
import type { InformerScope } from "../cache/readers/informer_key.ts";
import { coverageOf } from "./coverage.ts";
import type { View, Views } from "./view.ts";

/** How often a key that waits for the cache looks again by itself, in milliseconds. */
const RECHECK_MS = 1_000;

/** Options for {@linkcode WriteLedger}. */
export interface WriteLedgerOptions {
  /** What the controller reads. */
  readonly views: Views;
  /** How long a key waits for the cache at most, in milliseconds. */
  readonly timeoutMs: number;
  /** Called when a key that had to wait may run; `overdue` tells what the cache never showed. */
  readonly release: (key: ObjectKey, overdue: readonly string[]) => void;
  /** The source of time. */
  readonly clock: Clock;
}

/** A write under way: it collects what is deleted meanwhile. */
export interface WriteInFlight extends Disposable {
  /** The identities deleted since the write was sent. */
  readonly deleted: ReadonlySet<string>;
}

/** The objects that the deletion of a collection will delete. */
export type CollectionInFlight = readonly Pick<Expectation, "objectKey" | "uid">[];

/** The state that one view must show before a key may run. */
interface Expectation {
  readonly view: View;
  readonly objectKey: ObjectKey;
  readonly uid: string;
  /** The version written; `undefined` for the deletion of an object that the view holds. */
  readonly resourceVersion: string | undefined;
  /** Whether the object must leave the view, which may not have held it yet at `resourceVersion`. */
  readonly gone?: boolean;
  /** The object as it was written; absent when the view holds it. */
  readonly written?: KubeObject;
  /** The selection of the deleted collection: an object that it selects no longer was not deleted. */
  readonly selection?: InformerScope;
  /** The time since which the object is absent although the store is newer than the write. */
  absentSinceMs?: number;
}

interface Held {
  readonly sinceMs: number;
  timer: Timer;
}

/**
 * Read your own writes: what each key's runs wrote, until the cache shows it. A key whose cache is
 * older than its own last write is held back, so that no run mistakes its own work for undone (and
 * creates a child twice).
 *
 * A write is shown once every view that holds the object has that version or a newer one of it, or saw
 * it deleted. A new object is waited for where {@linkcode coverageOf} knows that the view will hold it;
 * where a field selector leaves that open it is not, which the controller says at its start. Versions are compared within one resource only; those that cannot be compared hold
 * nothing back. A key is held for a bounded time, so a cache that never shows a write cannot wedge it.
 */
export class WriteLedger {
  readonly #options: WriteLedgerOptions;
  /** Per reconciled key, per object written (one entry each): the newest write not shown yet. */
  readonly #expected = new Map<ObjectKey, Map<string, Expectation>>();
  /** The same the other way round: per object written, the reconciled keys that wait for it. */
  readonly #waiting = new Map<string, Set<ObjectKey>>();
  /** Keys that wanted to run and had to wait. */
  readonly #held = new Map<ObjectKey, Held>();
  readonly #inFlight = new Map<string, Set<Set<string>>>();

  /** Makes an empty ledger. */
  constructor(options: WriteLedgerOptions) {
    this.#options = options;
  }

  /** How many keys are held back. */
  get held(): number {
    return this.#held.size;
  }

  /** Call before a write is sent, dispose when it is noted or failed. */
  begin(type: ResourceType): WriteInFlight {
    const deleted = new Set<string>();
    const flights = this.#inFlight.get(type.id) ?? new Set();
    this.#inFlight.set(type.id, flights.add(deleted));
    return {
      deleted,
      [Symbol.dispose]: () => {
        flights.delete(deleted);
        if (flights.size === 0) this.#inFlight.delete(type.id);
      },
    };
  }

  /** Notes what a run of `key` wrote: the object as the server returned it. */
  wrote(key: ObjectKey, type: ResourceType, object: KubeObject, flight: WriteInFlight): void {
    const { uid = "", resourceVersion = "" } = object.metadata;
    if (resourceVersion === "" || flight.deleted.has(uid)) return;
    const objectKey = keyOf(object);
    for (const view of this.#viewsOf(type)) {
      const isHeld = view.informer.indexer.getPacked(objectKey) !== undefined;
      const coverage = coverageOf(view.scope, object);
      if (isHeld || coverage === "inside") {
        this.#expect(key, { view, objectKey, uid, resourceVersion, written: object });
      } else if (coverage === "outside" && this.#pending(key, view, objectKey)?.uid === uid) {
        // An earlier write of the run put it into the view, this one takes it out again.
        this.#expect(key, { view, objectKey, uid, resourceVersion, gone: true });
      }
    }
  }

  /** Notes that a run of `key` deleted an object. */
  deleted(key: ObjectKey, type: ResourceType, objectKey: ObjectKey, flight: WriteInFlight): void {
    for (const view of this.#viewsOf(type)) {
      const pending = this.#pending(key, view, objectKey);
      const shown = view.informer.indexer.getPacked(objectKey);
      if (pending?.resourceVersion !== undefined && shown?.uid !== pending.uid) {
        this.#expect(key, { ...pending, gone: true });
        continue;
      }
      if (!shown || flight.deleted.has(shown.uid)) continue;
      this.#expect(key, { view, objectKey, uid: shown.uid, resourceVersion: undefined });
    }
  }

  /**
   * Returns the objects that the deletion of a collection will delete, as far as the views and the key's
   * own writes tell. Call before the deletion is sent: an object that appears later may be a new one.
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
      if (view.scope.type.id !== selection.type.id || this.#isShown(pending)) continue;
      if (coverageOf(selection, written) !== "inside") continue;
      members.push({ ...pending, gone: true, selection });
    }
    return members;
  }

  /** Notes that a run of `key` deleted a collection. */
  deletedCollection(key: ObjectKey, members: CollectionInFlight, flight: WriteInFlight): void {
    for (const member of members as readonly Expectation[]) {
      if (!flight.deleted.has(member.uid)) this.#expect(key, member);
    }
  }

  /** Notes that the cache changed; `deletedUid` is the identity of an object that it saw deleted. */
  observed(view: View, objectKey: ObjectKey, deletedUid?: string): void {
    if (deletedUid !== undefined) {
      for (const deleted of this.#inFlight.get(view.scope.type.id) ?? []) deleted.add(deletedUid);
    }
    const id = this.#idOf(view, objectKey);
    for (const key of [...this.#waiting.get(id) ?? []]) {
      const expectation = this.#expected.get(key)?.get(id);
      if (!expectation) continue;
      if (expectation.uid === deletedUid || this.#isShown(expectation)) this.#drop(key, id);
      if (!this.#expected.has(key)) this.#release(key, []);
    }
  }

  /** Whether the key may run now. If not, it is held, and released in time. */
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

  /** Forgets everything and stops every timer. */
  clear(): void {
    for (const key of [...this.#held.keys()]) this.#unhold(key);
    this.#expected.clear();
    this.#waiting.clear();
    this.#inFlight.clear();
  }

  #viewsOf(type: ResourceType): readonly View[] {
    return this.#options.views.byType.get(type.id) ?? [];
  }

  #idOf(view: View, objectKey: ObjectKey): string {
    return `${labelOf(view, objectKey)} ${this.#viewsOf(view.scope.type).indexOf(view)}`;
  }

  /** Returns what the key waits for already, unless the view shows it. */
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
      if (coverageOf(selection, { metadata: { namespace, name, labels } }) !== "inside") return true;
    }
    if (resourceVersion === undefined) {
      return !shown || shown.uid !== uid || shown.deletionTimestamp !== undefined;
    }
    if (shown && gone && shown.uid === uid) return shown.deletionTimestamp !== undefined;
    if (shown) return isAtLeast(shown.resourceVersion, resourceVersion);
    if (!isAtLeast(store.resourceVersion, resourceVersion)) return false;
    // Created and deleted while the watch was away, it seems; or its event still waits for its turn
    // in the informer. Only time tells the two apart.
    const now = this.#options.clock.monotonicMs();
    expectation.absentSinceMs ??= now;
    return now - expectation.absentSinceMs >= RECHECK_MS;
  }

  /** Drops what is shown; whether nothing is left. */
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

/** Versions that cannot be compared count as new enough: holding a key back would mend nothing. */
function isAtLeast(shown: string, written: string): boolean {
  if (shown === "") return false;
  return (compareResourceVersions(shown, written) ?? 0) >= 0;
}
