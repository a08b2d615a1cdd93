import type { Clock, Timer } from "@xca/apimachinery/base";
import { WatchFailureError } from "./watch_failure.ts";
import type { WatchStream } from "./watch_stream.ts";

/**
 * The longest permitted silence of a watch after its first bookmark, in milliseconds: the interval
 * of bookmarks, one minute, and half a minute more. A dead server or network path is detected
 * sooner, below HTTP; this deadline is for a single stream that a proxy dropped while it serves the
 * others.
 */
export const BOOKMARK_SILENCE_MS = 90_000;

/**
 * A watchdog that aborts a watch, with a {@linkcode WatchFailureError} of the kind `idle`, when no
 * event has arrived for {@linkcode BOOKMARK_SILENCE_MS} after the watch had sent a bookmark.
 * Disposing stops the watchdog.
 *
 * A server need not send bookmarks, and sends none before a version newer than the start of the
 * watch exists; but after the first bookmark of a stream, others follow about every minute.
 */
export class SilenceGuard implements Disposable {
  readonly #stream: WatchStream;
  readonly #clock: Clock;
  #heardMs = 0;
  #timer: Timer | undefined;

  constructor(stream: WatchStream, clock: Clock) {
    this.#stream = stream;
    this.#clock = clock;
  }

  /**
   * Notifies the watchdog that a watch event arrived, a bookmark if `isBookmark` is true. The first
   * bookmark starts the deadline; every later event, bookmark or not, restarts it.
   */
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
        `Cannot continue the watch: no bookmark arrived for ${Math.round(silentMs)} ms`,
      ),
    );
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }
}
