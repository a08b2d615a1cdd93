import { getLogger } from "@logtape/logtape";
import { type Clock, delay, errorText, linkedAbort, type Random } from "@xca/apimachinery/base";
import { EventsEvent, formatKey } from "@xca/apimachinery/meta";
import type { Client } from "../client/typed/client.ts";
import type { WriteOptions } from "../client/calls/options.ts";
import { ApiError, isAlreadyExists, isNotFound } from "../client/errors/api_error.ts";
import { mergePatch } from "../client/typed/patch.ts";
import type { EventSeries } from "./event_series.ts";

/** A gate that every write of an event passes, such as the write gate of an operator. */
export interface EventGate {
  /**
   * Admits the request of an event, or throws. The client calls `admit` in the synchronous step
   * that sends the request.
   *
   * @throws {Error} When no write may start; the event is dropped.
   */
  admit(): void;
  /**
   * The remaining time in which writes of events may start, in milliseconds; `Infinity` for no
   * limit. The sender limits the timeout of each write to this time.
   */
  readonly remainingMs: number;
}

/** Dependencies of an {@linkcode EventSender}. */
export interface EventSenderOptions {
  /** The client that writes the events. */
  readonly client: Client;
  /** The gate that every write of an event passes. @default {none} */
  readonly gate?: EventGate | undefined;
  /**
   * Sets whether the server only validates events and does not store them (dry run).
   *
   * @default {false}
   */
  readonly dryRun?: boolean | undefined;
  /** The clock of the pauses and time-outs of the event sender. */
  readonly clock: Clock;
  /** The random source of the jitter in the pauses of the event sender. */
  readonly random: Random;
}

/**
 * The maximum number of event series that are queued for writing (tools/events, maxQueuedEvents).
 */
const MOST_WAITING = 1_000;
/** The maximum number of attempts of one write of an event (tools/events, maxTriesPerEvent). */
const MOST_TRIES = 12;
/**
 * The pause after a failed write of an event, in milliseconds; up to a quarter of it is added at
 * random.
 */
const PAUSE_MS = 10_000;

/** The time limit of one attempt to write an event, in milliseconds. */
const TRY_MS = 30_000;

const log = getLogger(["xca", "events"]);

/** The error of a write of an event that the gate refused. */
class RefusedByGate extends Error {}

/**
 * A sender of event series, which writes queued series to the server, one at a time and in the
 * background (tools/events/event_broadcaster.go, recordEvent). A series is queued at most once, and
 * its state at the time of the write is written. The sender repeats a write, in up to 12 attempts,
 * without a response or after an error of code 429 or of 500 and above; it logs and drops an event
 * that the gate refuses, or the server for another reason.
 */
export class EventSender {
  readonly #options: EventSenderOptions;
  readonly #waiting = new Set<EventSeries>();
  readonly #stop = new AbortController();
  #working: Promise<void> | undefined;
  #dropped = 0;

  /** Creates a sender of events, which is idle until a series is to be written. */
  constructor(options: EventSenderOptions) {
    this.#options = options;
  }

  /**
   * The number of writes of event series dropped since the creation of the sender: those that were
   * refused, failed too often, exceeded the limit of the queue, or came after the close.
   */
  get dropped(): number {
    return this.#dropped;
  }

  /**
   * Queues a series of events for writing. After the close, or when the queue is full, the series
   * is dropped instead, with a warning in the log, and counted. Never throws.
   */
  send(series: EventSeries): void {
    if (this.#stop.signal.aborted) return this.#drop(series, "the recorder is closed");
    if (this.#waiting.size >= MOST_WAITING && !this.#waiting.has(series)) {
      return this.#drop(series, `${MOST_WAITING} events wait already`);
    }
    this.#waiting.add(series);
    this.#working ??= this.#work();
  }

  /**
   * Returns a promise that resolves when no series of events is being written or waits to be
   * written.
   */
  async drained(): Promise<void> {
    while (this.#working) await this.#working;
  }

  /**
   * Waits at most `timeoutMs` milliseconds for queued series of events to be written, then drops
   * the others. Later series are dropped.
   */
  async close(timeoutMs: number): Promise<void> {
    using limit = linkedAbort({
      signals: [],
      timeoutMs,
      timeoutReason: () => new DOMException("the time to write events is over", "TimeoutError"),
      clock: this.#options.clock,
    });
    const stop = (): void => this.#stop.abort(limit.signal.reason);
    limit.signal.addEventListener("abort", stop, { once: true });
    if (limit.signal.aborted) stop();
    await this.drained();
    limit.signal.removeEventListener("abort", stop);
    this.#stop.abort(new DOMException("the recorder is closed", "AbortError"));
  }

  async #work(): Promise<void> {
    // The first write starts in a later step, so that events of one step are written together.
    await Promise.resolve();
    for (const series of this.#waiting) {
      this.#waiting.delete(series);
      // A series that was queued again during its write may have been written since.
      if (series.count > series.writtenCount) await this.#write(series);
    }
    this.#working = undefined;
  }

  async #write(series: EventSeries): Promise<void> {
    const { clock, random } = this.#options;
    for (let tries = 1;; tries++) {
      try {
        this.#stop.signal.throwIfAborted();
        const { count } = series;
        await this.#attempt(series);
        series.written(count);
        return;
      } catch (error) {
        if (tries === MOST_TRIES || !this.#mayHelp(error)) {
          return this.#drop(series, errorText(error));
        }
      }
      const ms = PAUSE_MS * (1 + random.next() / 4);
      await delay(ms, { clock, signal: this.#stop.signal }).catch(() => {}); // The next try throws.
    }
  }

  /** Reports whether the write of an event may succeed when it is tried again after this error. */
  #mayHelp(error: unknown): boolean {
    if (this.#stop.signal.aborted || error instanceof RefusedByGate) return false;
    return !(error instanceof ApiError) || error.code === 429 || error.code >= 500;
  }

  async #attempt(series: EventSeries): Promise<void> {
    if (series.writtenCount > 0) {
      try {
        return await this.#patch(series);
      } catch (error) {
        if (!isNotFound(error)) throw error; // Otherwise the event has expired: create it.
      }
    }
    const { client } = this.#options;
    try {
      await this.#gated((options) => client.create(EventsEvent, series.toCreate(), options));
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      // The response to an earlier attempt was lost, and the count may have grown since.
      if (series.count > 1) await this.#patch(series);
    }
  }

  async #patch(series: EventSeries): Promise<void> {
    const patch = mergePatch(series.toPatch());
    const key = formatKey(series.metadata);
    await this.#gated((options) => this.#options.client.patch(EventsEvent, key, patch, options));
  }

  /**
   * Sends the write of an event through the gate, and returns the result of `send`. Rejects with
   * `RefusedByGate` when the gate refuses.
   */
  async #gated<T>(
    send: (options: WriteOptions) => Promise<T>,
  ): Promise<T> {
    const { gate } = this.#options;
    let refusal: RefusedByGate | undefined;
    const admit = (): void => {
      try {
        gate?.admit();
      } catch (error) {
        refusal = new RefusedByGate(errorText(error), { cause: error });
        throw refusal;
      }
    };
    const dryRun = this.#options.dryRun ? { dryRun: true } : {};
    const timeoutMs = Math.max(1, Math.min(TRY_MS, gate?.remainingMs ?? TRY_MS));
    try {
      return await send({ admit, timeoutMs, signal: this.#stop.signal, ...dryRun });
    } catch (error) {
      throw refusal ?? error;
    }
  }

  #drop(series: EventSeries, why: string): void {
    this.#dropped++;
    const { namespace, name } = series.metadata;
    log.warn("Event {namespace}/{name} is not written: {why}", { namespace, name, why });
  }
}
