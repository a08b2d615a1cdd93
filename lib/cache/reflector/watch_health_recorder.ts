import { type Clock, errorText } from "@xca/apimachinery/base";
import type { WatchFailure } from "../watch/watch_failure.ts";
import type { WatchFailureRecord, WatchHealth } from "./watch_health.ts";

/**
 * The writable implementation of {@linkcode WatchHealth}, in which a reflector records its
 * activity.
 */
export class WatchHealthRecorder implements WatchHealth {
  readonly name: string;
  state: WatchHealth["state"] = "initial";
  synced = false;
  resourceVersion = "";
  failing: WatchFailureRecord | undefined;
  lastError: WatchFailureRecord | undefined;
  lastEventAt: Date | undefined;
  lastEventMs: number | undefined;
  lastBookmarkAt: Date | undefined;
  lastBookmarkMs: number | undefined;
  lastSyncAt: Date | undefined;
  lastSyncMs: number | undefined;
  lastHeardMs: number | undefined;
  lists = 0;
  watchLists = 0;
  watches = 0;
  restarts = 0;
  failures = 0;
  events = 0;
  bookmarks = 0;
  undecodable = 0;
  staleEvents = 0;
  rebuilds = 0;
  readonly #clock: Clock;

  constructor(name: string, clock: Clock) {
    this.name = name;
    this.#clock = clock;
  }

  /**
   * Records a watch event about an object in the health of the watch, and ends a recorded
   * `failing`.
   */
  event(): void {
    this.events++;
    this.lastEventAt = this.#clock.now();
    this.lastEventMs = this.#clock.monotonicMs();
    this.#recovered();
  }

  /** Records a bookmark in the health of the watch, and ends a recorded `failing`. */
  bookmark(): void {
    this.bookmarks++;
    this.lastBookmarkAt = this.#clock.now();
    this.lastBookmarkMs = this.#clock.monotonicMs();
    this.#recovered();
  }

  /**
   * Records that the server accepted a watch, and ends a recorded `failing` unless it is a
   * `shortWatch`, since the server may close the accepted watch at once again.
   */
  accepted(): void {
    this.lastHeardMs = this.#clock.monotonicMs();
    if (this.failing?.kind !== "shortWatch") this.failing = undefined;
  }

  /**
   * Records that the cache was filled from a list or WatchList of the given version, and ends a
   * recorded `failing`.
   */
  filled(resourceVersion: string): void {
    this.synced = true;
    this.resourceVersion = resourceVersion;
    this.lastSyncAt = this.#clock.now();
    this.lastSyncMs = this.#clock.monotonicMs();
    this.#recovered();
  }

  /** Records that a list or watch failed: counts it, and sets `failing` and `lastError`. */
  failed(failure: WatchFailure): void {
    this.failures++;
    this.failing = this.lastError = {
      kind: failure.kind,
      message: errorText(failure.error),
      at: this.#clock.now(),
    };
  }

  /**
   * Records that one object or event of a list or watch was lost: counts it, and sets `lastError`
   * only, since the list or watch continues.
   */
  lost(error: unknown): void {
    this.undecodable++;
    this.lastError = { kind: "undecodable", message: errorText(error), at: this.#clock.now() };
  }

  #recovered(): void {
    this.lastHeardMs = this.#clock.monotonicMs();
    this.failing = undefined;
  }
}
