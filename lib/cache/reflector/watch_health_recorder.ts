import { type Clock, errorText } from "@xca/apimachinery/base";
import type { WatchFailure } from "../watch/watch_failure.ts";
import type { WatchFailureRecord, WatchHealth, WatchState } from "./watch_health.ts";

/** What a reflector counts {@linkcode WatchHealth} up with. */
export class WatchHealthRecorder implements WatchHealth {
  readonly name: string;
  state: WatchState = "initial";
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

  /** Makes the health of a reflector that has done nothing. */
  constructor(name: string, clock: Clock) {
    this.name = name;
    this.#clock = clock;
  }

  /** An event about an object came. */
  event(): void {
    this.events++;
    this.lastEventAt = this.#clock.now();
    this.lastEventMs = this.#clock.monotonicMs();
    this.#recovered();
  }

  /** A bookmark came. */
  bookmark(): void {
    this.bookmarks++;
    this.lastBookmarkAt = this.#clock.now();
    this.lastBookmarkMs = this.#clock.monotonicMs();
    this.#recovered();
  }

  /** The server accepted a watch. It may yet close it at once. */
  accepted(): void {
    this.lastHeardMs = this.#clock.monotonicMs();
    if (this.failing?.kind !== "shortWatch") this.failing = undefined;
  }

  /** The sink was filled. */
  filled(resourceVersion: string): void {
    this.synced = true;
    this.resourceVersion = resourceVersion;
    this.lastSyncAt = this.#clock.now();
    this.lastSyncMs = this.#clock.monotonicMs();
    this.#recovered();
  }

  /** A request or a stream failed. */
  failed(failure: WatchFailure): void {
    this.failures++;
    this.failing = this.lastError = {
      kind: failure.kind,
      message: errorText(failure.error),
      at: this.#clock.now(),
    };
  }

  /** One object or event was lost; the stream goes on. */
  lost(error: unknown): void {
    this.undecodable++;
    this.lastError = { kind: "undecodable", message: errorText(error), at: this.#clock.now() };
  }

  #recovered(): void {
    this.lastHeardMs = this.#clock.monotonicMs();
    this.failing = undefined;
  }
}
