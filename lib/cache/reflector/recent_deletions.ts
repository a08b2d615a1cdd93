import { compareResourceVersions } from "@xca/apimachinery/meta";
import type { PackedObject } from "../packed/packed_object.ts";

/** Number of deleted objects that a reflector remembers, the most recent ones. */
const CAPACITY = 1024;

/**
 * The record of the latest deletions by UID, so that a late watch event cannot restore a deleted
 * object.
 */
export class RecentDeletions {
  readonly #versions = new Map<string, string>();

  /**
   * Remembers the deletion of an object, given with the resourceVersion of the deletion, to
   * recognize late events, until 1024 later deletions have followed. Ignores an object without UID.
   */
  note(object: PackedObject): void {
    if (object.uid === "") return;
    this.#versions.delete(object.uid);
    this.#versions.set(object.uid, object.resourceVersion);
    if (this.#versions.size <= CAPACITY) return;
    const [oldest] = this.#versions.keys();
    if (oldest !== undefined) this.#versions.delete(oldest);
  }

  /**
   * Reports whether a received object is older than its remembered deletion, or is the deleted
   * state itself; false if no deletion of its UID is remembered, or the resourceVersions cannot be
   * compared.
   */
  covers(object: PackedObject): boolean {
    const version = this.#versions.get(object.uid);
    if (version === undefined) return false;
    const order = compareResourceVersions(object.resourceVersion, version);
    return order !== undefined && order <= 0;
  }

  /**
   * Forgets all remembered deletions, because the server was restored from a backup and reuses
   * resourceVersions.
   */
  clear(): void {
    this.#versions.clear();
  }
}
