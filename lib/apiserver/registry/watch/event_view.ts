import type { ApiObject } from "@xca/apimachinery/internal/values";
import { isShownAsStored, shownFromStorage } from "../versions.ts";
import type { StoredObject } from "../../storage/arena.ts";
import type { LogEvent } from "../../storage/collection.ts";
import { frameOf, storedFrame, type WatchForm } from "./watch_form.ts";

/** A frame, or where a webhook has to be asked for it, the promise of one. */
export type Frame = Uint8Array | Promise<Uint8Array>;

/** One write as all watchers see it: parsed once, and written once per form. */
export class EventView {
  readonly event: LogEvent;
  readonly #trees = new Map<StoredObject, ApiObject>();
  readonly #frames = new Map<string, Frame>();

  constructor(event: LogEvent) {
    this.event = event;
  }

  /** The object before or after the write, for looking at. */
  tree(form: WatchForm, object: StoredObject): ApiObject {
    const { storedAs } = form.resource.strategy;
    let tree = this.#trees.get(object);
    if (!tree) this.#trees.set(object, tree = object.tree());
    // The form of another group is another tree.
    return storedAs ? storedAs.fromStored(structuredClone(tree)) : tree;
  }

  /** The line that tells of it as an event of this type. */
  frame(form: WatchForm, type: LogEvent["type"]): Frame {
    const key = `${type} ${form.id}`;
    let frame = this.#frames.get(key);
    if (!frame) this.#frames.set(key, frame = this.#make(form, type));
    return frame;
  }

  #make(form: WatchForm, type: LogEvent["type"]): Frame {
    const { object, previous, revision } = this.event;
    // What left the selection is shown as it was, with the version of the write.
    if (type === "DELETED" && this.event.type !== "DELETED") {
      return makeFrame(form, type, previous!, String(revision));
    }
    return makeFrame(form, type, object, undefined);
  }
}

/** The line that shows a stored object, perhaps with another version than its own. */
export function makeFrame(
  form: WatchForm,
  type: LogEvent["type"],
  object: StoredObject,
  resourceVersion: string | undefined,
): Frame {
  const { resource, transform } = form;
  const asStored = !transform && form.write === frameOf && isShownAsStored(resource, object);
  if (asStored && resourceVersion === undefined) return storedFrame(type, object);
  const write = ([shown]: readonly ApiObject[]): Uint8Array => {
    if (resourceVersion !== undefined) shown!.metadata.resourceVersion = resourceVersion;
    return form.write(type, transform ? transform(shown!) : shown!);
  };
  const shown = shownFromStorage(resource, [object]);
  if (!(shown instanceof Promise)) return write(shown);
  const frame = shown.then(write);
  // Whoever sends it sees that it fails, though perhaps later; until then it is nobody's failure.
  frame.catch(() => {});
  return frame;
}
