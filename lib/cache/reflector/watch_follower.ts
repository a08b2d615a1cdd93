import { DecodeError } from "../../client/errors/decode_error.ts";
import { apiErrorFromRaw } from "../../client/errors/api_error.ts";
import type { RawObject, RawObjectEvent, RawWatchEvent } from "../../client/decode/raw_event.ts";
import { compareResourceVersions, type KubeObject, type ObjectKey } from "@xca/apimachinery/meta";
import { readBookmark } from "../watch/bookmark.ts";
import { isLost, type ObjectIntake } from "./object_intake.ts";
import type { PackedObject } from "../packed/packed_object.ts";
import type { RecentDeletions } from "./recent_deletions.ts";
import type { ReflectorSink } from "./reflector_sink.ts";
import type { WatchHealthRecorder } from "./watch_health_recorder.ts";
import type { WatchStream } from "../watch/watch_stream.ts";

type ChangeType = "ADDED" | "MODIFIED" | "DELETED";

/** Options of the class {@linkcode WatchFollower}, which reads the events of one watch. */
export interface WatchFollowerOptions<T extends KubeObject> {
  /** The receiver of the watch's changes, such as the queue of a cache. */
  readonly sink: ReflectorSink<T>;
  /** The intake that packs the objects of the watch's events. */
  readonly intake: ObjectIntake<T>;
  /** The health record that counts the events of the watch. */
  readonly health: WatchHealthRecorder;
  /** The recent deletions, which the follower uses to recognize late events. */
  readonly deletions: RecentDeletions;
  /** The resourceVersion after which the watch begins. */
  readonly resourceVersion: string;
  /**
   * Called when the watch's receiver may miss a change; with the error, unless the intake has
   * reported that error.
   */
  readonly onGap: (error?: unknown) => void;
  /**
   * Called with the type of every event of the watch, bookmarks and errors included, before the
   * follower processes the event.
   */
  readonly onHeard: (type: RawWatchEvent["type"]) => void;
}

/**
 * The reader of one watch: passes its changes to the sink in order, and keeps track of the version
 * up to which the sink is complete. The reading ends with the stream, or earlier at one of two
 * events: an `ERROR` of the server, or a bookmark with an older version than the watch had reached.
 * A change that cannot be decoded or passed on is reported as a gap, and the reading goes on. The
 * follower does not close the stream.
 */
export class WatchFollower<T extends KubeObject> {
  readonly #options: WatchFollowerOptions<T>;
  /**
   * Reports whether the watch's events are ordered by version. A watch that was requested without a
   * resourceVersion begins with ADDED events of existing objects in any order, so their versions
   * cannot be used to resume the watch.
   */
  #ordered: boolean;
  #resourceVersion: string;
  #heard = 0;
  #progressed = false;
  #wentBack = false;

  constructor(options: WatchFollowerOptions<T>) {
    this.#options = options;
    this.#resourceVersion = options.resourceVersion;
    this.#ordered = options.resourceVersion !== "" && options.resourceVersion !== "0";
  }

  /**
   * The resourceVersion up to which the reflector has received all events of its watch, after which
   * a next watch may resume; that of the options until the watch brought a newer one.
   */
  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  /**
   * Number of events that the follower has read from the watch, of every type, bookmarks and errors
   * included.
   */
  get heard(): number {
    return this.#heard;
  }

  /**
   * Reports whether the watch brought an event or a bookmark with a newer version than that of the
   * options, or, for a watch without a resourceVersion or from `0`, any change. Events that could
   * not be decoded do not count.
   */
  get progressed(): boolean {
    return this.#progressed;
  }

  /**
   * Reports whether a bookmark of the watch had an older version than the watch had reached before.
   */
  get wentBack(): boolean {
    return this.#wentBack;
  }

  /**
   * Reads the watch until the server closes it, or a bookmark has an older version than the watch
   * had reached before.
   *
   * @throws {ApiError} The error that an `ERROR` event contains.
   * @throws {unknown} The error that cut the stream, or the reason of its abort.
   */
  async follow(stream: WatchStream): Promise<void> {
    do {
      for (let event = stream.take(); event; event = stream.take()) {
        this.#heard++;
        this.#options.onHeard(event.type);
        this.#take(event);
        if (this.#wentBack) return;
      }
    } while (await stream.fill());
  }

  #take(event: RawWatchEvent): void {
    const { health, onGap } = this.#options;
    switch (event.type) {
      case "ERROR":
        throw apiErrorFromRaw(event.object);
      case "UNDECODABLE":
        onGap(event.error);
        this.#noteLost(undefined);
        return;
      case "BOOKMARK":
        health.bookmark();
        return this.#bookmark(event.object);
      default:
        health.event();
        return this.#change(event as RawObjectEvent & { type: ChangeType });
    }
  }

  #bookmark(raw: RawObject): void {
    const { sink, onGap } = this.#options;
    try {
      const { resourceVersion } = readBookmark(raw);
      const order = compareResourceVersions(resourceVersion, this.#resourceVersion);
      if (order === undefined && isOrdered(this.#resourceVersion)) {
        throw new DecodeError(
          `Cannot trust a bookmark: its version ${cut(resourceVersion)} cannot follow ` +
            this.#resourceVersion,
        );
      }
      this.#ordered = true;
      if (order !== undefined && order < 0) {
        this.#wentBack = true;
        return;
      }
      sink.bookmark(resourceVersion);
      this.#advance(resourceVersion);
    } catch (error) {
      onGap(error);
    }
  }

  #change({ type, object: raw }: RawObjectEvent & { type: ChangeType }): void {
    const { intake, sink, health, deletions, onGap } = this.#options;
    if (type !== "ADDED") this.#ordered = true;
    const object = intake.pack(raw, "event");
    if (isLost(object)) {
      onGap();
      if (type !== "DELETED") this.#noteLost(object.key);
      return;
    }
    if (this.#isStale(type, object)) {
      health.staleEvents++;
      return;
    }
    try {
      this.#handOver(type, object, sink);
      if (type === "DELETED") deletions.note(object);
    } catch (error) {
      onGap(error);
    }
    this.#advance(object.resourceVersion);
  }

  #noteLost(key: ObjectKey | undefined): void {
    try {
      this.#options.sink.lost?.(key);
    } catch (error) {
      this.#options.onGap(error);
    }
  }

  #handOver(type: ChangeType, object: PackedObject<T>, sink: ReflectorSink<T>): void {
    if (type === "ADDED") sink.add(object);
    else if (type === "MODIFIED") sink.update(object);
    else sink.delete(object);
  }

  /**
   * Reports whether the sink already has the version of an object that a watch event carries, or a
   * newer one. Streams are ordered, so only events that are not newer than all earlier ones are
   * examined, by comparison with the stored version of the same object, since some aggregated
   * servers count versions per object.
   */
  #isStale(type: ChangeType, object: PackedObject<T>): boolean {
    const order = compareResourceVersions(object.resourceVersion, this.#resourceVersion);
    if (!this.#ordered || order === undefined || order > 0) return false;
    const known = this.#options.intake.lastKnown(object.key);
    if (!known) return this.#options.deletions.covers(object);
    const toKnown = compareResourceVersions(object.resourceVersion, known.resourceVersion);
    if (toKnown === undefined) return false;
    return type === "DELETED" && object.uid === known.uid ? toKnown < 0 : toKnown <= 0;
  }

  #advance(resourceVersion: string): void {
    if (!this.#ordered) {
      this.#progressed = true;
      return;
    }
    if (resourceVersion === "" || resourceVersion === this.#resourceVersion) return;
    const order = compareResourceVersions(resourceVersion, this.#resourceVersion);
    if (order === undefined ? isOrdered(this.#resourceVersion) : order < 0) return;
    this.#resourceVersion = resourceVersion;
    this.#options.health.resourceVersion = resourceVersion;
    this.#progressed = true;
  }
}

/**
 * Reports whether a watch's resourceVersion is a number, so that it can be compared: every later
 * version is then a number too.
 */
function isOrdered(resourceVersion: string): boolean {
  return compareResourceVersions(resourceVersion, "0") !== undefined;
}

/**
 * Returns a text from the server as a JSON string, cut after 40 characters, for an error message.
 */
function cut(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}...` : text);
}
