import { compareResourceVersions } from "@xca/apimachinery/meta";
import type { PackedObject } from "../packed/packed_object.ts";

/** Number of deletions that are remembered. */
const CAPACITY = 1024;

/** Remembers the last deletions by UID, so that a late event cannot restore a deleted object. */
export class RecentDeletions {
  readonly #versions = new Map<string, string>();

  /** Records the deletion of an object. */
  note(object: PackedObject): void {
    if (object.uid === "") return;
    this.#versions.delete(object.uid);
    this.#versions.set(object.uid, object.resourceVersion);
    if (this.#versions.size <= CAPACITY) return;
    const [oldest] = this.#versions.keys();
    if (oldest !== undefined) this.#versions.delete(oldest);
  }

  /**
   * Reports whether this state of the object is older than its deletion, or the deletion itself.
   */
  covers(object: PackedObject): boolean {
    const version = this.#versions.get(object.uid);
    if (version === undefined) return false;
    const order = compareResourceVersions(object.resourceVersion, version);
    return order !== undefined && order <= 0;
  }

  /** Forgets all deletions, because the server's versions went back. */
  clear(): void {
    this.#versions.clear();
  }
}
