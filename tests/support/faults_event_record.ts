import type { EventHandler } from "../../lib/cache/events/event_handler.ts";
import type { ObservedObject } from "../../lib/cache/events/observed_object.ts";
import type { ObjectKey } from "../../lib/apimachinery/meta/object_key.ts";

/** One call of the handler. */
export interface RecordedEvent {
  /** What was called. */
  readonly type: "add" | "update" | "delete";
  /** The object's key. */
  readonly key: ObjectKey;
  /** The object's identity. */
  readonly uid: string;
  /** The object's version; of a deletion the last one known. */
  readonly resourceVersion: string;
  /** Whether it stands for a deletion that was missed. */
  readonly finalStateUnknown: boolean;
}

/** Notes what a handler is told, and that it makes sense: an add first, then updates, then a delete. */
export class EventRecord {
  /** Every call, in order. */
  readonly all: RecordedEvent[] = [];
  /** What the calls amount to: uid and version by key. */
  readonly state: Map<ObjectKey, string> = new Map();
  /** Calls that do not fit what was told before. */
  readonly violations: string[] = [];

  /** What to add to the informer. It reads each object, so that it fails on one that cannot be read. */
  readonly handler: EventHandler = {
    onAdd: (object) => this.#note("add", object),
    onUpdate: (old, object) => this.#note("update", object, old),
    onDelete: (last) => this.#note("delete", last),
  };

  /** The calls about one key, shortest first letter: `add`, `update`, `delete`, `lost` for a tombstone. */
  story(key: ObjectKey): string[] {
    return this.all.filter((event) => event.key === key)
      .map(({ type, finalStateUnknown }) => finalStateUnknown ? "lost" : type);
  }

  #note(type: RecordedEvent["type"], object: ObservedObject, old?: ObservedObject): void {
    const { key, uid, resourceVersion, finalStateUnknown } = object;
    this.all.push({ type, key, uid, resourceVersion, finalStateUnknown });
    const known = this.state.get(key);
    const knownUid = known?.split(" ")[0];
    const told = `${type} of ${key} ${uid} ${resourceVersion}`;
    if (object.object.metadata.uid !== uid) this.violations.push(`${told}: another object inside`);
    if (type === "add" && known) this.violations.push(`${told}: known as ${known}`);
    if (type !== "add" && knownUid !== uid) this.violations.push(`${told}: known as ${known}`);
    if (old && `${old.uid} ${old.resourceVersion}` !== known) {
      this.violations.push(`${told}: old is ${old.uid} ${old.resourceVersion}, known as ${known}`);
    }
    if (type === "delete") this.state.delete(key);
    else this.state.set(key, `${uid} ${resourceVersion}`);
  }
}
