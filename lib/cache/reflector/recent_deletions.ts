import { compareResourceVersions } from "@xca/apimachinery/meta";
import type { PackedObject } from "../packed/packed_object.ts";

/** How many deletions are remembered. */
const CAPACITY = 1024;

/** Remembers the last deletions by UID, so that a late event cannot bring a deleted object back. */
export class RecentDeletions {
  readonly #versions = new Map<string, string>();

  /** Notes the deletion of an object. */
  note(object: PackedObject): void {
    if (object.uid === "") return;
    this.#versions.delete(object.uid);
    this.#versions.set(object.uid, object.resourceVersion);
    if (this.#versions.size <= CAPACITY) return;
    const [oldest] = this.#versions.keys();
    if (oldest !== undefined) this.#versions.delete(oldest);
  }

  /** Whether this state of the object is from before its deletion, or that deletion itself. */
  covers(object: PackedObject): boolean {
    const version = this.#versions.get(object.uid);
    if (version === undefined) return false;
    const order = compareResourceVersions(object.resourceVersion, version);
    return order !== undefined && order <= 0;
  }

  /** Forgets all: the versions have begun anew. */
  clear(): void {
    this.#versions.clear();
  }
}
