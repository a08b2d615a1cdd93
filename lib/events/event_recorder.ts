import { checkOptionNames, type OptionNames } from "@xca/apimachinery/internal/base";
import { getLogger } from "@logtape/logtape";
import {
  type Clock,
  type Random,
  systemClock,
  systemRandom,
  type Timer,
} from "@xca/apimachinery/base";
import type { EventsV1Event, V1ObjectReference } from "@xca/apimachinery/kubernetes-types";
import {
  type DeepReadonly,
  formatMicroTime,
  type KubeObject,
  type ResourceType,
} from "@xca/apimachinery/meta";
import type { Client } from "../client/typed/client.ts";
import { EventCorrelator, type EventLikeness, type EventLimits } from "./event_correlator.ts";
import { type EventGate, EventSender } from "./event_sender.ts";
import { EventSeries } from "./event_series.ts";
import {
  type EventInit,
  eventNameOf,
  eventProblem,
  referenceTo,
  shortNote,
} from "./event_fields.ts";
import { RecentMap } from "./recent_map.ts";

/** Options for {@linkcode EventRecorder}, which writes events about objects. */
export interface EventRecorderOptions {
  /** The client that writes the events. The recorder does not close it. */
  readonly client: Client;
  /** The name of the controller that reports the events, such as `xca` or `example.org/xca`. */
  readonly controller: string;
  /**
   * The name of this process among the processes of the controller.
   *
   * @default the controller, a dash and eight random hexadecimal digits
   */
  readonly instance?: string | undefined;
  /**
   * The gate that every write of an event passes; an event that the gate refuses is dropped.
   * @default {none}
   */
  readonly gate?: EventGate | undefined;
  /**
   * Sets whether the server only validates events and does not store them (dry run).
   *
   * @default {false}
   */
  readonly dryRun?: boolean | undefined;
  /** The limits on the events about one object. @default those of client-go */
  readonly limits?: EventLimits | undefined;
  /** The clock of the event recorder. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** The random number source of the event recorder. @default {systemRandom} */
  readonly random?: Random | undefined;
}

/**
 * The pause after which a repeated event begins a new series, in milliseconds (tools/events,
 * finishTime).
 */
const FINISH_MS = 6 * 60_000;
/**
 * The interval at which the count of a long series of events is written, in milliseconds
 * (tools/events, refreshTime).
 */
const REFRESH_MS = 30 * 60_000;
/**
 * The maximum number of event series whose repetitions the recorder counts at once; beyond it, the
 * series that began first ends, and its count is written.
 */
const MOST_SERIES = 4_096;
/** The time limit for writing the last events when the recorder closes, in milliseconds. */
const CLOSE_MS = 5_000;

const log = getLogger(["xca", "events"]);

/** The names of all options of {@linkcode EventRecorder}. */
const RECORDER_OPTIONS: OptionNames<EventRecorderOptions> = {
  client: true,
  controller: true,
  instance: true,
  gate: true,
  dryRun: true,
  limits: { aggregateFrom: true, aggregateWithinMs: true, burst: true, refillMs: true },
  clock: true,
  random: true,
};

/**
 * Recorder of events about objects, in the API `events.k8s.io/v1` (tools/events/event_recorder.go,
 * EventRecorder). `kubectl describe` and `kubectl events` show them.
 *
 * - {@linkcode EventRecorder.record} returns at once and never throws: events are written in the
 *   background, one after the other. An event that cannot be written is dropped, counted, and
 *   logged.
 * - An event that is repeated within six minutes is one Event object with a count. The count is
 *   written at the first repetition, then every half hour, and when the event has not been repeated
 *   for six minutes.
 * - From the tenth different note of otherwise equal events on, without a pause of ten minutes
 *   between them, they are one event, `(combined from similar events)`.
 * - About one object, 25 new events of a type may be written at once, and one more every five
 *   minutes.
 * - An event that has expired on the server is created again.
 * - An event about an object without a namespace is in the namespace `default`.
 *
 * The client needs `create` and `patch` of `events.events.k8s.io`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { EventRecorder } from "@xca/operator/events";
 * import { ConfigMap, EventsEvent } from "@xca/operator/meta";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 *
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * const map = await client.create(ConfigMap, { metadata: { name: "web" } });
 * {
 *   await using events = new EventRecorder({ client, controller: "greeter" });
 *   for (let time = 0; time < 3; time++) {
 *     events.record(ConfigMap, map, { reason: "Greeted", note: "Hello" });
 *   }
 * } // writes the remaining events
 * const [event] = (await client.list(EventsEvent, { namespace: "default" })).items;
 * assert.deepEqual([event?.note, event?.series?.count], ["Hello", 3]);
 * ```
 */
export class EventRecorder implements AsyncDisposable {
  readonly #options: EventRecorderOptions;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #correlator: EventCorrelator;
  readonly #sender: EventSender;
  readonly #series: RecentMap<string, EventSeries>;
  #instance: string | undefined;
  #names: number | undefined;
  #filtered = 0;
  #timer: Timer | undefined;
  #closed: Promise<void> | undefined;

  /**
   * Creates a recorder of events; no request is sent and no timer runs before the first event.
   *
   * @throws {RangeError} When a limit is not a finite number of at least 1.
   * @throws {TypeError} When an option is unknown.
   */
  constructor(options: EventRecorderOptions) {
    checkOptionNames("Cannot create a recorder of events", options, RECORDER_OPTIONS);
    const { client, gate, dryRun, clock = systemClock, random = systemRandom } = options;
    this.#options = options;
    this.#clock = clock;
    this.#random = random;
    this.#instance = options.instance;
    this.#correlator = new EventCorrelator(options.limits ?? {}, clock);
    this.#sender = new EventSender({ client, gate, dryRun, clock, random });
    this.#series = new RecentMap(MOST_SERIES, (series) => this.#finish(series));
  }

  /**
   * The number of events dropped since the creation of the recorder: those that were invalid, that
   * exceeded the rate limit of their object, that were recorded after the close, that found the
   * queue full, or whose write failed.
   */
  get dropped(): number {
    return this.#filtered + this.#sender.dropped;
  }

  /**
   * Records an event about an object. Never throws, and never waits: an event with invalid fields,
   * beyond the rate limit, or after the close is dropped and counted ({@linkcode
   * EventRecorder.dropped}).
   */
  record<T extends KubeObject>(
    type: ResourceType<T>,
    object: T | DeepReadonly<T>,
    init: EventInit,
  ): void {
    try {
      this.#record(type, object, init);
    } catch (error) {
      this.#filtered++;
      log.error("An event is not recorded: {error}", { error });
    }
  }

  /**
   * Resolves when no write of an event is in progress or queued. The count of a repeated event may
   * be written later; {@linkcode EventRecorder.close} writes it.
   */
  async flush(): Promise<void> {
    await this.#sender.drained();
  }

  /**
   * Closes the recorder: writes the queued events and the remaining counts, for at most five
   * seconds, and drops those left. Later events are dropped. Further calls return the same promise.
   */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /** Closes the recorder; see {@linkcode EventRecorder.close}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    this.#timer?.[Symbol.dispose]();
    for (const [, series] of this.#series.entries()) this.#finish(series);
    await this.#sender.close(CLOSE_MS);
  }

  #record(type: ResourceType, object: DeepReadonly<KubeObject>, init: EventInit): void {
    const problem = this.#closed ? "the recorder is closed" : eventProblem(init);
    if (problem) {
      this.#filtered++;
      log.error("An event about {kind} {name} is not recorded: {problem}", {
        kind: type.kind,
        name: object.metadata.name,
        problem,
      });
      return;
    }
    const regarding = referenceTo(type, object);
    const related = init.related && referenceTo(init.related.type, init.related.object);
    const like = likeness(init, regarding, related);
    const { key, note } = this.#correlator.correlate(like);
    const [at, ms] = [this.#clock.now(), this.#clock.monotonicMs()];
    const known = this.#series.get(key);
    if (known && ms - known.lastMs < FINISH_MS) {
      known.repeat(at, ms);
      if (known.count === 2) this.#sender.send(known);
      return;
    }
    if (known) this.#finish(known);
    if (!this.#correlator.admit(like)) {
      this.#filtered++;
      log.debug("Too many events about {kind} {name}", {
        kind: type.kind,
        name: object.metadata.name,
      });
      return;
    }
    const event = this.#event({ ...init, note }, regarding, related, at);
    const series = new EventSeries(event, at, ms);
    this.#series.set(key, series);
    this.#sender.send(series);
    this.#timer ??= this.#nextSweep();
  }

  #event(
    { type = "Normal", reason, action = reason, note = "" }: EventInit,
    regarding: V1ObjectReference,
    related: V1ObjectReference | undefined,
    at: Date,
  ): EventsV1Event {
    const { controller } = this.#options;
    this.#instance ??= `${controller.slice(0, 100)}-${this.#random.uuid().slice(0, 8)}`;
    // Other recorders of the process may name an event of the same object in the same millisecond.
    this.#names = (this.#names ?? Math.floor(this.#random.next() * 1_000_000)) + 1;
    const name = eventNameOf(regarding.name ?? "", at, this.#names, this.#random);
    return {
      metadata: { name, namespace: regarding.namespace || "default" },
      eventTime: formatMicroTime(at),
      reportingController: controller,
      reportingInstance: this.#instance,
      type,
      reason,
      action,
      note: shortNote(note),
      regarding,
      ...(related && { related }),
    };
  }

  /** Queues a write of the count of an event series unless the server has the count. */
  #finish(series: EventSeries): void {
    if (series.count > series.writtenCount) this.#sender.send(series);
  }

  /**
   * Ends the event series that were not repeated for {@linkcode FINISH_MS}, and queues a write of
   * their counts and of the counts of those that began, or were last refreshed, {@linkcode
   * REFRESH_MS} ago.
   */
  #sweep(): void {
    const ms = this.#clock.monotonicMs();
    for (const [key, series] of this.#series.entries()) {
      const isOver = ms - series.lastMs >= FINISH_MS;
      if (isOver) this.#series.delete(key);
      else if (ms - series.refreshedMs < REFRESH_MS) continue;
      series.refreshedMs = ms;
      this.#finish(series);
    }
    this.#timer = this.#series.size > 0 ? this.#nextSweep() : undefined;
  }

  #nextSweep(): Timer {
    return this.#clock.after(FINISH_MS, () => this.#sweep()).unref();
  }
}

/** Returns the fields of an event by which similar events are recognized. */
function likeness(
  { type = "Normal", reason, action = reason, note = "" }: EventInit,
  regarding: V1ObjectReference,
  related: V1ObjectReference | undefined,
): EventLikeness {
  const { resourceVersion: _, ...about } = regarding;
  const object = JSON.stringify([about, type]);
  return { object, cause: JSON.stringify([object, reason, action, related?.uid]), note };
}
