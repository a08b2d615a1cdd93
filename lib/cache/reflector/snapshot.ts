import type { RawObject } from "../../client/decode/raw_event.ts";
import type { KubeObject, ObjectKey } from "@xca/apimachinery/meta";
import { KeyedObjects } from "../store/keyed_objects.ts";
import type { ObjectOrigin } from "./expected_kind.ts";
import { isLost, type ObjectIntake } from "./object_intake.ts";

/**
 * The objects of a list or WatchList while they arrive, page by page or event by event. The
 * reflector hands the snapshot to its sink only when all objects have arrived.
 *
 * For an object that cannot be decoded or packed, the snapshot has the last known version, if there
 * is one, because a relist must not report a deletion that did not happen.
 */
export class Snapshot<T extends KubeObject> {
  readonly #intake: ObjectIntake<T>;
  readonly #reuse: boolean;
  #objects = new KeyedObjects<T>();
  #incomplete = false;
  #lost = new Set<ObjectKey | undefined>();

  /**
   * Creates the empty snapshot of a list.
   *
   * @param reuse Sets whether versions that the sink knows are reused instead of packed again.
   */
  constructor(intake: ObjectIntake<T>, reuse: boolean) {
    this.#intake = intake;
    this.#reuse = reuse;
  }

  /** Number of objects in the snapshot so far; 0 after {@linkcode Snapshot.takeObjects}. */
  get size(): number {
    return this.#objects.size;
  }

  /**
   * Reports whether an object of the list, or a deletion among the initial events of a WatchList,
   * could not be decoded or packed, so that an object may be outdated, missing, or deleted already.
   */
  get incomplete(): boolean {
    return this.#incomplete;
  }

  /**
   * The keys of the objects that the snapshot lacks because they could not be decoded or packed,
   * and no earlier version is known; see {@linkcode ReplaceOptions.lost}.
   */
  get lost(): ReadonlySet<ObjectKey | undefined> {
    return this.#lost;
  }

  /**
   * Adds a received object to the snapshot, or replaces its earlier version. If the object cannot
   * be decoded, the earlier version remains, or the version that the sink knows is added; if there
   * is neither, the key is added to {@linkcode Snapshot.lost}.
   */
  put(raw: RawObject, origin: ObjectOrigin): void {
    const taken = this.#intake.pack(raw, origin, this.#reuse);
    if (!isLost(taken)) {
      this.#objects.set(taken);
      if (this.#lost.size > 0) this.#lost.delete(taken.key);
      return;
    }
    this.#incomplete = true;
    const { key } = taken;
    if (key !== undefined && this.#objects.has(key)) return;
    const known = key === undefined ? undefined : this.#intake.lastKnown(key);
    if (known) this.#objects.set(known);
    else this.#lost.add(key);
  }

  /**
   * Removes the object of a DELETED event from the snapshot, by its key. A deletion that cannot be
   * decoded makes the snapshot incomplete, and removes nothing if its key cannot be read.
   */
  remove(raw: RawObject): void {
    const taken = this.#intake.pack(raw, "event");
    if (isLost(taken)) this.#incomplete = true;
    const { key } = taken;
    if (key === undefined) return;
    this.#objects.delete(key);
    this.#lost.delete(key);
  }

  /**
   * Resets the snapshot to an empty, complete one, because later objects belong to another version
   * of the list.
   */
  clear(): void {
    this.#objects = new KeyedObjects();
    this.#incomplete = false;
    this.#lost = new Set();
  }

  /**
   * Returns the snapshot's objects, and leaves the snapshot without objects; {@linkcode
   * Snapshot.lost} and {@linkcode Snapshot.incomplete} are kept.
   */
  takeObjects(): KeyedObjects<T> {
    const objects = this.#objects;
    this.#objects = new KeyedObjects();
    return objects;
  }
}
