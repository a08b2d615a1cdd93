import { delay } from "../../lib/apimachinery/base/time/delay.ts";
import type { EventHandler } from "../../lib/cache/events/event_handler.ts";
import type { ObservedObject } from "../../lib/cache/events/observed_object.ts";
import type { ObjectKey } from "../../lib/apimachinery/meta/object_key.ts";

/** How a follower misbehaves. */
export interface FollowerOptions {
  /** What it is called. */
  readonly name: string;
  /** Every so many milliseconds it is told of all objects again. @default never */
  readonly resyncPeriodMs?: number;
  /** How long each call takes, in milliseconds. @default none */
  readonly slow?: () => number;
  /** Whether a call throws after it was noted. @default never */
  readonly fails?: () => boolean;
}

/**
 * A handler that keeps the state it was told of, and nothing else: what it holds is bounded by how
 * many objects there are, so that it cannot be what makes the memory grow.
 */
export class Follower {
  readonly name: string;
  /** Uid and version of each object it knows. */
  readonly state: Map<ObjectKey, string> = new Map();
  /** How often it was called. */
  calls = 0;
  /** The first call that did not fit what was told before. */
  violation: string | undefined;
  readonly #options: FollowerOptions;

  constructor(options: FollowerOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** What to add to the informer. */
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
