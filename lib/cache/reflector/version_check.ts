import { Backoff, type Clock, delay, type Random } from "@xca/apimachinery/base";
import { ApiError, isTooManyRequests } from "../../client/errors/api_error.ts";
import { isOlder } from "./reflector_state.ts";
import type { WatchStream } from "../watch/watch_stream.ts";

/** Options of {@linkcode VersionCheck.start}, which checks the version of a resumed watch. */
export interface VersionCheckOptions {
  /**
   * The resumed watch to check; it is aborted if its resourceVersion is newer than the server's
   * newest.
   */
  readonly stream: WatchStream;
  /** The resourceVersion after which the checked watch was resumed. */
  readonly resourceVersion: string;
  /** Resolves to the server's newest resourceVersion, by a request that `signal` cancels. */
  readonly newest: (signal: AbortSignal) => Promise<string>;
  /** The clock for the pauses between attempts of the check. */
  readonly clock: Clock;
  /** The random number source for the jitter of the pauses between attempts. */
  readonly random: Random;
}

/**
 * A background check, during a resumed watch, that the server's newest version is not older than
 * the version after which the watch was resumed. If it is older, the watch is aborted.
 *
 * A server whose etcd was restored from a backup accepts a watch from a resourceVersion that it has
 * not reached yet, and sends nothing until it reaches that version; all changes in between would be
 * missed for good. The restored server can be detected only before it reaches that version, so the
 * check repeats a failed request after a pause while the watch lasts. If the server refuses the
 * request with a code below 500 other than 429, the check ends without a result.
 */
export class VersionCheck implements AsyncDisposable {
  readonly #abort = new AbortController();
  readonly #asked: Promise<void>;
  #confirmed = false;
  #older: string | undefined;

  private constructor(options: VersionCheckOptions) {
    this.#asked = this.#ask(options);
  }

  /**
   * Starts the check of a resumed watch. The check runs in the background until there is an answer
   * or it is disposed.
   */
  static start(options: VersionCheckOptions): VersionCheck {
    return new VersionCheck(options);
  }

  /**
   * Reports whether the check found that the server's newest resourceVersion is not older than the
   * watch's, or cannot be compared with it. False also while there is no answer, if the server
   * refused the request, and if the version is older.
   */
  get confirmed(): boolean {
    return this.#confirmed;
  }

  /**
   * The server's newest resourceVersion, if the check found that it is older than that of the
   * watch, because the server was restored from a backup; `undefined` otherwise.
   */
  get older(): string | undefined {
    return this.#older;
  }

  async #ask(
    { stream, resourceVersion, newest, clock, random }: VersionCheckOptions,
  ): Promise<void> {
    const { signal } = this.#abort;
    const backoff = new Backoff({ initialMs: 500, maxMs: 10_000, clock, random });
    while (!signal.aborted) {
      try {
        const version = await newest(signal);
        if (signal.aborted) return;
        if (isOlder(version, resourceVersion)) {
          this.#older = version;
          stream.abort(new DOMException("the server's resourceVersion decreased", "AbortError"));
        } else this.#confirmed = true;
        return;
      } catch (error) {
        if (signal.aborted || isRefusal(error)) return;
        await delay(backoff.nextMs(), { signal, clock }).catch(() => {});
      }
    }
  }

  /** Stops the check of the watch, and resolves when the check has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort(new DOMException("the watch ended", "AbortError"));
    await this.#asked;
  }
}

/**
 * Reports whether an error is a response of the server with a code below 500 other than 429, which
 * a further attempt would receive again.
 */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.code < 500 && !isTooManyRequests(error);
}
