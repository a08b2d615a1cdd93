import type { EventHandler } from "../../../lib/cache/events/event_handler.ts";
import type { ObservedObject } from "../../../lib/cache/events/observed_object.ts";
import type { ObjectKey } from "../../../lib/apimachinery/meta/object_key.ts";

/** One call of the handler. */
export interface RecordedEvent {
  /** The name of the method that was called. */
  readonly type: "add" | "update" | "delete";
  /** The object's key. */
  readonly key: ObjectKey;
  /** The object's UID. */
  readonly uid: string;
  /** The object's resourceVersion; for a deletion, the last known one. */
  readonly resourceVersion: string;
  /** Reports whether the call is a tombstone, for a deletion that the informer missed. */
  readonly finalStateUnknown: boolean;
}

/**
 * Records the notifications of a handler and checks their order: an add first, then updates, then a
 * delete.
 */
export class EventRecord {
  /** Every call, in order. */
  readonly all: RecordedEvent[] = [];
  /** The objects that the calls describe: UID and resourceVersion by key. */
  readonly state: Map<ObjectKey, string> = new Map();
  /** The calls that contradict an earlier call. */
  readonly violations: string[] = [];

  /**
   * The handler to add to the informer. It reads each object, and so fails on an unreadable one.
   */
  readonly handler: EventHandler = {
    onAdd: (object) => this.#note("add", object),
    onUpdate: (old, object) => this.#note("update", object, old),
    onDelete: (last) => this.#note("delete", last),
  };

  /** Returns the calls about one key: `add`, `update`, `delete`, or `lost` for a tombstone. */
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
