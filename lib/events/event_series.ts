import type { EventsV1Event } from "@xca/apimachinery/kubernetes-types";
import { formatMicroTime } from "@xca/apimachinery/meta";

/**
 * The first of several similar events, and its number of repetitions (tools/events, EventSeries).
 */
export class EventSeries {
  /** The monotonic time at which the series' count was last queued for writing, in milliseconds. */
  refreshedMs: number;
  readonly #event: EventsV1Event;
  #count = 1;
  #lastAt: Date;
  #lastMs: number;
  /** The count of the series that the server has stored; 0 before the event was created. */
  #writtenCount = 0;

  /** Starts a series with its first event. */
  constructor(event: EventsV1Event, at: Date, ms: number) {
    this.#event = event;
    this.#lastAt = at;
    this.#lastMs = ms;
    this.refreshedMs = ms;
  }

  /** The monotonic time of the last event of the series, in milliseconds. */
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

  /** The count of the series that the server has stored; 0 before the event was created. */
  get writtenCount(): number {
    return this.#writtenCount;
  }

  /** Records that the server has stored a count of the series. */
  written(count: number): void {
    this.#writtenCount = count;
  }

  /** Counts a repetition of the event that started the series. */
  repeat(at: Date, ms: number): void {
    this.#count++;
    this.#lastAt = at;
    this.#lastMs = ms;
  }

  /** Returns the Event object to create, with the series if there is one by now. */
  toCreate(): EventsV1Event {
    return { ...this.#event, ...(this.#count > 1 && this.toPatch()) };
  }

  /** Returns the patch that writes the count and last time of the series to its Event object. */
  toPatch(): { readonly series: { count: number; lastObservedTime: string } } {
    return { series: { count: this.#count, lastObservedTime: formatMicroTime(this.#lastAt) } };
  }
}
