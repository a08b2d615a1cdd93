import type { Logger } from "@logtape/logtape";
import type { Clock, Timer } from "@xca/apimachinery/base";
import type { KubeObject } from "@xca/apimachinery/meta";
import { apiErrorFromRaw } from "../../client/errors/api_error.ts";
import { readBookmark } from "../watch/bookmark.ts";
import { growsNext } from "../store/map_growth.ts";
import type { Snapshot } from "./snapshot.ts";
import { WatchFailureError } from "../watch/watch_failure.ts";
import type { WatchStream } from "../watch/watch_stream.ts";

/**
 * Interval at which the watchdog checks whether a WatchList that has not sent its
 * initial-events-end bookmark is silent, and the silence from which on it logs a warning, in
 * milliseconds; as in client-go.
 */
const WARNING_INTERVAL_MS = 10_000;

/**
 * Time limit for all initial events of a WatchList, as a multiple of {@linkcode
 * InitialEventsOptions.deadlineMs}.
 */
const TOTAL_DEADLINES = 10;

/** Options of {@linkcode collectInitialEvents}, which reads the initial events of a WatchList. */
export interface InitialEventsOptions {
  /**
   * The longest time without a new object before the reflector stops waiting for the bookmark that
   * ends a WatchList's initial events, in milliseconds. All initial events together may take ten
   * times that.
   */
  readonly deadlineMs: number;
  /** The clock that measures the deadlines and the intervals of warnings. */
  readonly clock: Clock;
  /**
   * The logger, with the property `name` of the reflector, that receives a warning every ten
   * seconds while the WatchList sends nothing before the bookmark that ends its initial events.
   */
  readonly log: Logger;
  /**
   * Called for every initial event of the WatchList about an object; not for bookmarks, errors, and
   * lines that cannot be decoded.
   */
  readonly onEvent: () => void;
  /** Called for every bookmark of the WatchList. */
  readonly onBookmark: () => void;
}

/**
 * Reads the initial events of a WatchList into a snapshot, up to the bookmark that ends them, and
 * resolves to the resourceVersion of that bookmark. The stream stays open; the caller closes it,
 * also after an error.
 *
 * Updates and deletions that arrive before the bookmark are applied to the snapshot. An object that
 * cannot be packed is reported; the snapshot has its last known version, if there is one.
 *
 * @throws {WatchFailureError} `noInitialEventsEnd` if the bookmark does not come in time; `cut` if
 * the stream ends before it; `undecodable` if a line cannot be decoded, because it is then unknown
 * which object is missing. The reflector then uses a LIST, whose items are decoded one by one.
 * @throws {DecodeError} If a bookmark cannot be decoded.
 * @throws {ApiError} If the server sends an ERROR event.
 * @throws {unknown} The error that cut the stream, or the reason of its abort.
 */
export async function collectInitialEvents<T extends KubeObject>(
  stream: WatchStream,
  snapshot: Snapshot<T>,
  options: InitialEventsOptions,
): Promise<string> {
  using watchdog = new InitialEventsWatchdog(stream, options);
  do {
    for (let event = stream.take(); event; event = stream.take()) {
      if (event.type === "BOOKMARK") options.onBookmark();
      else if (event.type !== "ERROR" && event.type !== "UNDECODABLE") options.onEvent();
      watchdog.heard();
      switch (event.type) {
        case "ADDED":
        case "MODIFIED": {
          const before = snapshot.size;
          snapshot.put(event.object, "event");
          if (snapshot.size > before) {
            watchdog.progressed();
            if (growsNext(snapshot.size)) await stream.pause();
          }
          break;
        }
        case "DELETED":
          snapshot.remove(event.object);
          break;
        case "BOOKMARK": {
          const bookmark = readBookmark(event.object);
          if (bookmark.endsInitialEvents) return bookmark.resourceVersion;
          break;
        }
        case "ERROR":
          throw apiErrorFromRaw(event.object);
        case "UNDECODABLE":
          throw new WatchFailureError(
            "undecodable",
            "Cannot trust the initial events: one of them cannot be decoded",
            { cause: event.error },
          );
      }
      if (stream.overdue) await stream.pause();
    }
  } while (await stream.fill());
  throw new WatchFailureError(
    "cut",
    "Cannot use the initial events: the stream ended before the bookmark that ends them",
  );
}

/**
 * A watchdog that logs a warning every 10 s while a WatchList sends nothing before its final
 * bookmark, and aborts the stream at the deadline.
 */
class InitialEventsWatchdog implements Disposable {
  readonly #stream: WatchStream;
  readonly #options: InitialEventsOptions;
  readonly #startedMs: number;
  #progressMs: number;
  #heardMs: number | undefined;
  #warning: Timer;
  #deadline: Timer;

  constructor(stream: WatchStream, options: InitialEventsOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#startedMs = this.#progressMs = options.clock.monotonicMs();
    this.#warning = options.clock.after(WARNING_INTERVAL_MS, () => this.#warn());
    this.#deadline = options.clock.after(options.deadlineMs, () => this.#check());
  }

  heard(): void {
    this.#heardMs = this.#options.clock.monotonicMs();
  }

  /**
   * Notifies the watchdog that the last event reported by `heard` contained a new object, which
   * extends the deadline.
   */
  progressed(): void {
    this.#progressMs = this.#heardMs ?? this.#startedMs;
  }

  #warn(): void {
    const { clock, log } = this.#options;
    this.#warning = clock.after(WARNING_INTERVAL_MS, () => this.#warn());
    const nowMs = clock.monotonicMs();
    if (this.#heardMs === undefined) {
      log.warn(
        "{name}: awaiting the bookmark that ends the initial events; no event came for {seconds} s",
        { seconds: Math.round((nowMs - this.#startedMs) / 1000) },
      );
    } else if (nowMs - this.#heardMs >= WARNING_INTERVAL_MS) {
      log.warn(
        "{name}: the bookmark that ends the initial events has not come; the last event came {seconds} s ago",
        { seconds: Math.round((nowMs - this.#heardMs) / 1000) },
      );
    }
  }

  /**
   * Aborts the WatchList after the deadline, which moves with every new object up to the total
   * limit.
   */
  #check(): void {
    const { clock, deadlineMs } = this.#options;
    const nowMs = clock.monotonicMs();
    const dueMs = Math.min(
      this.#progressMs + deadlineMs,
      this.#startedMs + TOTAL_DEADLINES * deadlineMs,
    );
    if (nowMs < dueMs) {
      this.#deadline = clock.after(dueMs - nowMs, () => this.#check());
      return;
    }
    this.#stream.abort(
      new WatchFailureError(
        "noInitialEventsEnd",
        "Cannot use the initial events: the bookmark that ends them did not come within " +
          `${Math.round(nowMs - this.#startedMs)} ms; listing instead`,
      ),
    );
  }

  [Symbol.dispose](): void {
    this.#warning[Symbol.dispose]();
    this.#deadline[Symbol.dispose]();
  }
}
