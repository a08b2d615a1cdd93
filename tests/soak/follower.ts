import { delay } from "../../lib/apimachinery/base/time/delay.ts";
import type { EventHandler } from "../../lib/cache/events/event_handler.ts";
import type { ObservedObject } from "../../lib/cache/events/observed_object.ts";
import type { ObjectKey } from "../../lib/apimachinery/meta/object_key.ts";

/** The misbehaviour of a follower. */
export interface FollowerOptions {
  /** The name of the follower. */
  readonly name: string;
  /** The resync period in milliseconds. @default {never} */
  readonly resyncPeriodMs?: number;
  /** The duration of each call, in milliseconds. @default {0} */
  readonly slow?: () => number;
  /** Sets whether a call throws after the fake has recorded it. @default never */
  readonly fails?: () => boolean;
}

/**
 * A handler that keeps the notified state alone. Its memory is bounded by the number of objects, so
 * that it does not cause the memory growth that the run looks for.
 */
export class Follower {
  readonly name: string;
  /** Uid and version of each object it knows. */
  readonly state: Map<ObjectKey, string> = new Map();
  /** The number of calls. */
  calls = 0;
  /** The first call that contradicts an earlier one. */
  violation: string | undefined;
  readonly #options: FollowerOptions;

  constructor(options: FollowerOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** The handler to add to the informer. */
  readonly handler: EventHandler = {
    onAdd: (object) => this.#note("add", object),
    onUpdate: (old, object) => this.#note("update", object, old),
    onDelete: (last) => this.#note("delete", last),
  };

  async #note(
    type: "add" | "update" | "delete",
    object: ObservedObject,
    old?: ObservedObject,
  ): Promise<void> {
    this.calls++;
    const { key, uid, resourceVersion } = object;
    const known = this.state.get(key);
    const told = `${type} of ${key} ${uid} ${resourceVersion}, known as ${known ?? "nothing"}`;
    if (type === "add" && known !== undefined) this.violation ??= told;
    if (type !== "add" && known?.split(" ")[0] !== uid) this.violation ??= told;
    if (old && `${old.uid} ${old.resourceVersion}` !== known) {
      this.violation ??= `${told}, old is ${old.uid} ${old.resourceVersion}`;
    }
    if (object.object.metadata.uid !== uid) this.violation ??= `${told}: another object inside`;
    if (type === "delete") this.state.delete(key);
    else this.state.set(key, `${uid} ${resourceVersion}`);
    const ms = this.#options.slow?.() ?? 0;
    if (ms > 0) await delay(ms);
    if (this.#options.fails?.()) throw new Error(`${this.name} fails on purpose`);
  }
}
