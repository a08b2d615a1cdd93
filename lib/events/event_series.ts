import type { EventsV1Event } from "@xca/apimachinery/kubernetes-types";
import { formatMicroTime } from "@xca/apimachinery/meta";

/**
 * A series of similar events: the first event, and the number and the last time of all
 * (tools/events, EventSeries).
 */
export class EventSeries {
  /**
   * The time on the monotonic clock at which the series began, or at which the recorder's regular
   * check last queued its count for writing, in milliseconds.
   */
  refreshedMs: number;
  readonly #event: EventsV1Event;
  #count = 1;
  #lastAt: Date;
  #lastMs: number;
  /**
   * The number of events of the series that the server has stored; 0 before the Event object was
   * created.
   */
  #writtenCount = 0;

  /**
   * Creates an event series with its first event, which occurred at `at` and at the monotonic time
   * `ms`.
   */
  constructor(event: EventsV1Event, at: Date, ms: number) {
    this.#event = event;
    this.#lastAt = at;
    this.#lastMs = ms;
    this.refreshedMs = ms;
  }

  /** The time of the series' last event on the monotonic clock, in milliseconds. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** The namespace and name of the Event object that stores the series. */
  get metadata(): { readonly namespace: string; readonly name: string } {
    const { namespace = "", name = "" } = this.#event.metadata;
    return { namespace, name };
  }

  /** The number of events of the series so far. */
  get count(): number {
    return this.#count;
  }

  /**
   * The number of events of the series that the server has stored; 0 before the Event object was
   * created.
   */
  get writtenCount(): number {
    return this.#writtenCount;
  }

  /** Records the number of events of the series that the server has stored. */
  written(count: number): void {
    this.#writtenCount = count;
  }

  /**
   * Counts a further event of the series, which occurred at `at` and at the monotonic time `ms`.
   */
  repeat(at: Date, ms: number): void {
    this.#count++;
    this.#lastAt = at;
    this.#lastMs = ms;
  }

  /** Returns the Event object to create, with the field `series` if the event has been repeated. */
  toCreate(): EventsV1Event {
    return { ...this.#event, ...(this.#count > 1 && this.toPatch()) };
  }

  /**
   * Returns the patch that writes the number of events and the last time of the series to its Event
   * object.
   */
  toPatch(): { readonly series: { count: number; lastObservedTime: string } } {
    return { series: { count: this.#count, lastObservedTime: formatMicroTime(this.#lastAt) } };
  }
}
