import { type Clock, type LinkedAbort, linkedAbort } from "@xca/apimachinery/base";
import { loopTurns, TimeSlice } from "@xca/apimachinery/internal/base";
import type { RawWatchEvent } from "../../client/decode/raw_event.ts";
import type { WatchQuery } from "../../client/calls/list_query.ts";
import type { ListerWatcher } from "./list_watch.ts";

/**
 * Duration of the slices in which a stream is processed before other work runs, in milliseconds: a
 * slice ends later when V8 collects all garbage within it. Shorter slices would pause and resume
 * the connection too often.
 */
const STREAM_SLICE_MS = 3;

/** Options of {@linkcode WatchStream.open}, which opens a watch. */
export interface WatchStreamOptions {
  /** The signal that aborts the watch. */
  readonly signal: AbortSignal;
  /** The time without any received data after which the watch fails, in milliseconds. */
  readonly idleTimeoutMs: number;
  /**
   * The clock that measures the time slices in which the watch's events are processed, and that
   * sets {@linkcode WatchStream.startedMs}.
   */
  readonly clock: Clock;
}

/**
 * An open watch, read event by event: {@linkcode WatchStream.take} the events of the current batch,
 * then {@linkcode WatchStream.fill} again. The bytes of an event are valid until the next `fill()`.
 *
 * A reader may stop in the middle of a batch, and another reader continue with the next event. The
 * last reader must {@linkcode WatchStream.close} the stream.
 */
export class WatchStream {
  readonly #iterator: AsyncIterator<readonly RawWatchEvent[]>;
  readonly #abort: LinkedAbort;
  #batch: readonly RawWatchEvent[] = [];
  #at = 0;
  /**
   * The time slice for which the watch's events are processed before other work runs. A limit is
   * needed because buffered batches arrive without a turn of the event loop.
   */
  readonly #slice: TimeSlice;
  /**
   * The monotonic time of the watch request, in milliseconds. The response may be later: some
   * proxies hold the headers back until the first event.
   */
  readonly startedMs: number;

  private constructor(
    iterator: AsyncIterator<readonly RawWatchEvent[]>,
    abort: LinkedAbort,
    slice: TimeSlice,
    startedMs: number,
  ) {
    this.#iterator = iterator;
    this.#abort = abort;
    this.#slice = slice;
    this.startedMs = startedMs;
  }

  /**
   * Opens a watch through a lister-watcher, and resolves to the stream once the server has accepted
   * the watch.
   *
   * @throws {unknown} The error with which the lister-watcher refused the watch, or the reason of
   * `signal`.
   */
  static async open(
    listerWatcher: ListerWatcher,
    query: WatchQuery,
    options: WatchStreamOptions,
  ): Promise<WatchStream> {
    const { clock, idleTimeoutMs } = options;
    const abort = linkedAbort({ signals: [options.signal] });
    const startedMs = clock.monotonicMs();
    // The slice begins before the request: the head of the answer and the first events are read in
    // one turn of the event loop, which is slow in a process that reads for the first time. The
    // first events then wait for the next turn.
    const slice = new TimeSlice(clock, STREAM_SLICE_MS);
    try {
      abort.signal.throwIfAborted();
      const events = await listerWatcher.watch(query, { signal: abort.signal, idleTimeoutMs });
      return new WatchStream(events[Symbol.asyncIterator](), abort, slice, startedMs);
    } catch (error) {
      abort[Symbol.dispose]();
      throw error;
    }
  }

  /**
   * Returns the next event of the watch's current batch; `undefined` when the batch is used up, and
   * before the first {@linkcode fill}.
   */
  take(): RawWatchEvent | undefined {
    return this.#at < this.#batch.length ? this.#batch[this.#at++] : undefined;
  }

  /**
   * Reports whether the processing of the watch's events has used up its time slice; the caller
   * should then {@linkcode pause}.
   */
  get overdue(): boolean {
    return this.#slice.used;
  }

  /**
   * Lets other work run between two events of the watch. The rest of the received batch is kept.
   *
   * @throws {unknown} The reason given to {@linkcode abort}, or the reason of the watch's signal.
   */
  async pause(): Promise<void> {
    await this.#slice.next(this.#abort.signal);
  }

  /**
   * Waits for the next batch of watch events, which replaces the current one. Resolves to `true`
   * once a batch has arrived, and to `false` if the server closed the stream cleanly.
   *
   * @throws {unknown} The error that cut the stream, the reason given to {@linkcode abort}, or the
   * reason of the watch's signal.
   */
  async fill(): Promise<boolean> {
    const { signal } = this.#abort;
    signal.throwIfAborted();
    if (this.#slice.used) await this.#slice.next(signal);
    const turns = loopTurns();
    const next = await this.#next(signal);
    if (loopTurns() !== turns) this.#slice.restart();
    this.#batch = next.done ? [] : next.value;
    this.#at = 0;
    return !next.done;
  }

  async #next(signal: AbortSignal): Promise<IteratorResult<readonly RawWatchEvent[]>> {
    try {
      return await this.#iterator.next();
    } finally {
      // The reason of the abort is more specific than the error of the source.
      signal.throwIfAborted();
    }
  }

  /**
   * Aborts the watch: a pending {@linkcode fill} or {@linkcode pause}, and every later one, throws
   * `reason`.
   */
  abort(reason: unknown): void {
    this.#abort.abort(reason);
  }

  /** Closes the connection of the watch; resolves when it is closed. Never rejects. */
  async close(): Promise<void> {
    this.#batch = [];
    try {
      this.#abort.abort(new DOMException("the watch is closed", "AbortError"));
      await this.#iterator.return?.();
    } catch {
      // The stream is closed; the reason for closing it was reported before.
    } finally {
      this.#abort[Symbol.dispose]();
    }
  }
}
