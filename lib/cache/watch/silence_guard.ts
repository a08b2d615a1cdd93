import type { Clock, Timer } from "@xca/apimachinery/base";
import { WatchFailureError } from "./watch_failure.ts";
import type { WatchStream } from "./watch_stream.ts";

/**
 * The silence that is accepted after a bookmark, in milliseconds: one that did not come, and half a
 * minute. Whether the server or the way to it is gone shows sooner, below HTTP; this is for a single
 * stream that a proxy forgot while it serves the others.
 */
export const BOOKMARK_SILENCE_MS = 90_000;

/**
 * Ends a stream that fell silent although it had begun to bring bookmarks.
 *
 * Servers promise none, and leave them out while their newest version is the one that the watch began
 * at; but once a stream has brought one, the next follow about each minute.
 */
export class SilenceGuard implements Disposable {
  readonly #stream: WatchStream;
  readonly #clock: Clock;
  #heardMs = 0;
  #timer: Timer | undefined;

  /** Makes a guard of one stream; it sleeps until the first bookmark. */
  constructor(stream: WatchStream, clock: Clock) {
    this.#stream = stream;
    this.#clock = clock;
  }

  /** Notes an event. */
  heard(isBookmark: boolean): void {
    if (!this.#timer && !isBookmark) return;
    this.#heardMs = this.#clock.monotonicMs();
    this.#timer ??= this.#clock.after(BOOKMARK_SILENCE_MS, () => this.#check());
  }

  #check(): void {
    const silentMs = this.#clock.monotonicMs() - this.#heardMs;
    if (silentMs < BOOKMARK_SILENCE_MS) {
      this.#timer = this.#clock.after(BOOKMARK_SILENCE_MS - silentMs, () => this.#check());
      return;
    }
    this.#stream.abort(
      new WatchFailureError(
        "idle",
        `Cannot go on with the watch: no bookmark came for ${Math.round(silentMs)} ms`,
      ),
    );
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }
}
