import { DecodeError } from "../../client/errors/decode_error.ts";
import { apiErrorFromRaw } from "../../client/errors/api_error.ts";
import type { RawObject, RawObjectEvent, RawWatchEvent } from "../../client/raw/raw.ts";
import { compareResourceVersions, type KubeObject, type ObjectKey } from "@xca/apimachinery/meta";
import { readBookmark } from "../watch/bookmark.ts";
import { isLost, type ObjectIntake } from "./object_intake.ts";
import type { PackedObject } from "../packed/packed_object.ts";
import type { RecentDeletions } from "./recent_deletions.ts";
import type { ReflectorSink } from "./reflector_sink.ts";
import type { WatchHealthRecorder } from "./watch_health_recorder.ts";
import type { WatchStream } from "../watch/watch_stream.ts";

type ChangeType = "ADDED" | "MODIFIED" | "DELETED";

/** What {@linkcode WatchFollower} works with. */
export interface WatchFollowerOptions<T extends KubeObject> {
  /** Where changes go. */
  readonly sink: ReflectorSink<T>;
  /** What packs them. */
  readonly intake: ObjectIntake<T>;
  /** What counts them. */
  readonly health: WatchHealthRecorder;
  /** What was deleted lately. */
  readonly deletions: RecentDeletions;
  /** The version after which the stream begins. */
  readonly resourceVersion: string;
  /** Told when the sink may miss a change, with the reason unless it was told before. */
  readonly onHole: (error?: unknown) => void;
  /** Told of every event before it is looked at. */
  readonly onHeard: (type: RawWatchEvent["type"]) => void;
}

/**
 * Hands the changes of one stream over, in order, and keeps the version up to which the sink is
 * complete. No event can end the stream but the server's own `ERROR`.
 */
export class WatchFollower<T extends KubeObject> {
  readonly #options: WatchFollowerOptions<T>;
  /** A watch without a version begins with synthetic ADDED events in no order: no version to resume from. */
  #ordered: boolean;
  #resourceVersion: string;
  #heard = 0;
  #progressed = false;
  #wentBack = false;

  /** Makes a follower. */
  constructor(options: WatchFollowerOptions<T>) {
    this.#options = options;
    this.#resourceVersion = options.resourceVersion;
    this.#ordered = options.resourceVersion !== "" && options.resourceVersion !== "0";
  }

  /** The version up to which the sink is complete. */
  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  /** How many events came. */
  get heard(): number {
    return this.#heard;
  }

  /** Whether the stream brought anything new. */
  get progressed(): boolean {
    return this.#progressed;
  }

  /** Whether a bookmark was older than what was seen before it. */
  get wentBack(): boolean {
    return this.#wentBack;
  }

  /**
   * Follows the stream until the server closes it, or a bookmark goes back.
   *
   * @throws {ApiError} What the server sent as an `ERROR` event.
   * @throws {unknown} What cut the stream.
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
    const { health, onHole } = this.#options;
    switch (event.type) {
      case "ERROR":
        throw apiErrorFromRaw(event.object);
      case "UNDECODABLE":
        onHole(event.error);
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
    const { sink, onHole } = this.#options;
    try {
      const { resourceVersion } = readBookmark(raw);
      const order = compareResourceVersions(resourceVersion, this.#resourceVersion);
      if (order === undefined && isOrdered(this.#resourceVersion)) {
        throw new DecodeError(
          `Cannot trust a bookmark: its version ${cut(resourceVersion)} is none that may follow ` +
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
      onHole(error);
    }
  }

  #change({ type, object: raw }: RawObjectEvent & { type: ChangeType }): void {
    const { intake, sink, health, deletions, onHole } = this.#options;
    if (type !== "ADDED") this.#ordered = true;
    const object = intake.pack(raw, false);
    if (isLost(object)) {
      onHole();
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
      onHole(error);
    }
    this.#advance(object.resourceVersion);
  }

  #noteLost(key: ObjectKey | undefined): void {
    try {
      this.#options.sink.lost?.(key);
    } catch (error) {
      this.#options.onHole(error);
    }
  }

  #handOver(type: ChangeType, object: PackedObject<T>, sink: ReflectorSink<T>): void {
    if (type === "ADDED") sink.add(object);
    else if (type === "MODIFIED") sink.update(object);
    else sink.delete(object);
  }

  /**
   * Whether the sink has this version or a newer one. Streams are ordered, so only an event that is
   * not newer than everything before it is looked at closer; then its own object decides, since some
   * aggregated servers count versions per object.
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

/** Reports whether a version is a number: every later version is then a number too. */
function isOrdered(resourceVersion: string): boolean {
  return compareResourceVersions(resourceVersion, "0") !== undefined;
}

/** A text of the server as messages may show it. */
function cut(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}...` : text);
}
