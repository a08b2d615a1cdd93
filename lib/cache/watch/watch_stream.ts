import { type Clock, type LinkedAbort, linkedAbort } from "@xca/apimachinery/base";
import { TimeSlice } from "@xca/apimachinery/internal/base";
import type { RawWatchEvent, WatchQuery } from "../../client/raw/raw.ts";
import type { ListerWatcher } from "./list_watch.ts";

/**
 * How long a stream is worked off at a time, in milliseconds: V8 collects meanwhile, and a collection of
 * everything takes longer than this. For less, a stream would stop and start its connection too often.
 */
const STREAM_SLICE_MS = 3;

/** What {@linkcode WatchStream.open} needs. */
export interface WatchStreamOptions {
  /** Ends the stream. */
  readonly signal: AbortSignal;
  /** How long it may be silent, in milliseconds. */
  readonly idleTimeoutMs: number;
  /** Where time comes from. */
  readonly clock: Clock;
}

/**
 * An open watch, read event by event: {@linkcode WatchStream.take} what is at hand, then
 * {@linkcode WatchStream.fill} again. An event's bytes are good until the next `fill()`.
 *
 * So one reader may stop in the middle of a batch and another go on from there.
 */
export class WatchStream {
  readonly #iterator: AsyncIterator<readonly RawWatchEvent[]>;
  readonly #abort: LinkedAbort;
  #batch: readonly RawWatchEvent[] = [];
  #at = 0;
  /** Batches that lie ready come without letting the event loop turn. */
  readonly #slice: TimeSlice;
  /** When the request was sent: some proxies hold the headers back until the first event. */
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
   * Opens a watch.
   *
   * @throws {unknown} What the watch rejects with.
   */
  static async open(
    listerWatcher: ListerWatcher,
    query: WatchQuery,
    options: WatchStreamOptions,
  ): Promise<WatchStream> {
    const { clock, idleTimeoutMs } = options;
    const abort = linkedAbort({ signals: [options.signal] });
    const startedMs = clock.monotonicMs();
    // The head of an answer and what comes with it are read in one turn of the event loop, which takes
    // long in a process that never did so: the first events then have their turn later.
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

  /** The next event at hand; `undefined` when there is none before the next {@linkcode fill}. */
  take(): RawWatchEvent | undefined {
    return this.#at < this.#batch.length ? this.#batch[this.#at++] : undefined;
  }

  /** Whether the events at hand have kept the event loop for long: then {@linkcode pause}. */
  get overdue(): boolean {
    return this.#slice.used;
  }

  /**
   * Lets others run. The events at hand stay.
   *
   * @throws {unknown} The reason given to {@linkcode abort}.
   */
  async pause(): Promise<void> {
    await this.#slice.next(this.#abort.signal);
  }

  /**
   * Waits for more. `false` when the server closed the stream cleanly.
   *
   * @throws {unknown} What cut the stream, or the reason given to {@linkcode abort}.
   */
  async fill(): Promise<boolean> {
    const { signal } = this.#abort;
    signal.throwIfAborted();
    if (this.#slice.used) await this.#slice.next(signal);
    const asked = this.#next(signal);
    const wasReady = await laysReady(asked);
    const next = await asked;
    if (!wasReady) this.#slice.restart();
    this.#batch = next.done ? [] : next.value;
    this.#at = 0;
    return !next.done;
  }

  async #next(signal: AbortSignal): Promise<IteratorResult<readonly RawWatchEvent[]>> {
    try {
      return await this.#iterator.next();
    } finally {
      // Why it was aborted says more than how the source took it.
      signal.throwIfAborted();
    }
  }

  /** Makes the pending or next {@linkcode fill} throw `reason`. */
  abort(reason: unknown): void {
    this.#abort.abort(reason);
  }

  /** Closes the connection; resolves when that is done. Never rejects. */
  async close(): Promise<void> {
    this.#batch = [];
    try {
      this.#abort.abort(new DOMException("the watch is closed", "AbortError"));
      await this.#iterator.return?.();
    } catch {
      // It is closed: why the reading ended is known already.
    } finally {
      this.#abort[Symbol.dispose]();
    }
  }
}

/** How many microtasks a batch that lies ready may take to come, at most: some ten do. */
const READY_WITHIN = 32;

/**
 * Whether a promise settles without a turn of the event loop. Time does not tell: a collection takes
 * as long as a wait.
 */
async function laysReady(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = (): boolean => settled = true;
  promise.then(settle, settle);
  for (let microtasks = 0; microtasks < READY_WITHIN && !settled; microtasks++) await undefined;
  return settled;
}
