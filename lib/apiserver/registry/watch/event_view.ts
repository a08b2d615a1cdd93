// Mirrors `storage/cacher/caching_object.go, cachingObject`.
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../../machinery/resource.ts";
import { fromStorage, isShownAsStored, shownFromStorage } from "../objects/versions.ts";
import type { StoredObject } from "../../storage/arena.ts";
import type { LogEvent } from "../../storage/collection.ts";
import { formedFrame, type Frame, frameOf, storedFrame, type WatchForm } from "./watch_form.ts";

/**
 * A view of one write, shared by all watchers: parsed once per API version, and encoded once per
 * format.
 */
export class EventView {
  readonly event: LogEvent;
  readonly #states = new Map<ApiResource, ReturnType<typeof fromStorage>>();
  readonly #frames = new Map<string, Frame>();

  constructor(event: LogEvent) {
    this.event = event;
  }

  /**
   * Returns the object before the write, unless the write is a creation, then the object after it,
   * unless the write is a deletion, both in the API version of the given resource row. Returns a
   * promise only if a conversion webhook must be called. Callers must not change the result, which
   * they share.
   *
   * @throws {UndecodableError} If the conversion fails; a promise rejects with this error.
   */
  states(resource: ApiResource): ReturnType<typeof fromStorage> {
    let states = this.#states.get(resource);
    if (!states) {
      const { type, object, previous } = this.event;
      const stored = [...(previous ? [previous] : []), ...(type === "DELETED" ? [] : [object])];
      this.#states.set(resource, states = fromStorage(resource, stored));
    }
    return states;
  }

  /**
   * Returns the encoded frame that reports the write as a watch event of a type. A `DELETED` event
   * for a write that is no deletion shows the object before the write, with the revision of the
   * write.
   */
  frame(form: WatchForm, type: LogEvent["type"]): Frame {
    const key = `${type} ${form.id}`;
    let frame = this.#frames.get(key);
    if (!frame) this.#frames.set(key, frame = this.#make(form, type));
    return frame;
  }

  #make(form: WatchForm, type: LogEvent["type"]): Frame {
    const { object, previous, revision } = this.event;
    // An object that left the selection is sent in its previous state with the revision of the
    // write.
    if (type === "DELETED" && this.event.type !== "DELETED") {
      return makeFrame(form, type, previous!, String(revision));
    }
    return makeFrame(form, type, object, undefined);
  }
}

/**
 * Encodes a watch event that shows a stored object. A given `resourceVersion` replaces that of the
 * object.
 */
export function makeFrame(
  form: WatchForm,
  type: LogEvent["type"],
  object: StoredObject,
  resourceVersion: string | undefined,
): Frame {
  const { resource, transform } = form;
  const asStored = !transform && form.write === frameOf && isShownAsStored(resource, object);
  if (asStored && resourceVersion === undefined) return storedFrame(type, object);
  const write = ([shown]: readonly ApiObject[]): Frame => {
    if (resourceVersion !== undefined) shown!.metadata.resourceVersion = resourceVersion;
    return formedFrame(form, type, shown!);
  };
  const shown = shownFromStorage(resource, [object]);
  if (!(shown instanceof Promise)) return write(shown);
  const frame = shown.then(write);
  // The sender of the frame awaits it later; until then its failure must not count as unhandled.
  frame.catch(() => {});
  return frame;
}
