import { type Clock, TokenBucket } from "@xca/apimachinery/base";
import { RecentMap } from "./recent_map.ts";

/**
 * The limits on the events about one object (tools/record/events_cache.go, EventCorrelator). The
 * defaults are those of client-go.
 */
export interface EventLimits {
  /**
   * The number of the first different note of otherwise equal events that is combined with the
   * later ones to one event; the notes before it have events of their own.
   *
   * @default {10}
   */
  readonly aggregateFrom?: number | undefined;
  /**
   * The time without similar events after which the count of their different notes begins at zero
   * again, in milliseconds.
   *
   * @default {600_000}
   */
  readonly aggregateWithinMs?: number | undefined;
  /**
   * The number of new events of one type about an object that may be written at once; a repetition
   * of an event does not count.
   *
   * @default {25}
   */
  readonly burst?: number | undefined;
  /**
   * The interval at which one more new event of one type about an object may be written, in
   * milliseconds.
   *
   * @default {300_000}
   */
  readonly refillMs?: number | undefined;
}

/** The fields of an event that the correlator compares with those of earlier events. */
export interface EventLikeness {
  /**
   * The object, without its resourceVersion, and the type of the event as one text: the key by
   * which the rate limit counts events.
   */
  readonly object: string;
  /**
   * The object, type, reason, action and the UID of the related object of the event, as one text:
   * the key by which similar events are combined.
   */
  readonly cause: string;
  /** The note of the event: its text for users. */
  readonly note: string;
}

/**
 * The result of {@linkcode EventCorrelator.correlate}: the series that an event belongs to, and the
 * note of the event there.
 */
export interface CorrelatedEvent {
  /** The key of the series that the event belongs to. */
  readonly key: string;
  /**
   * The note of the event within its series: the event's own note, with the prefix `(combined from
   * similar events): ` if the event is combined with others.
   */
  readonly note: string;
}

/**
 * The maximum number of objects, and likewise of causes, that a correlator remembers; it forgets
 * those with the oldest event first (tools/record, maxLruCacheEntries).
 */
const MOST_REMEMBERED = 4_096;

interface Notes {
  readonly notes: Set<string>;
  atMs: number;
}

/**
 * A correlator of events, which combines similar events and limits the rate of new events about one
 * object.
 */
export class EventCorrelator {
  readonly #limits: Required<{ [Limit in keyof EventLimits]: number }>;
  readonly #clock: Clock;
  readonly #notes = new RecentMap<string, Notes>(MOST_REMEMBERED);
  readonly #budgets = new RecentMap<string, TokenBucket>(MOST_REMEMBERED);

  /**
   * Creates a correlator of events that has received no event.
   *
   * @throws {RangeError} When a limit is not a finite number of at least 1.
   */
  constructor(limits: EventLimits, clock: Clock) {
    this.#limits = {
      aggregateFrom: limits.aggregateFrom ?? 10,
      aggregateWithinMs: limits.aggregateWithinMs ?? 600_000,
      burst: limits.burst ?? 25,
      refillMs: limits.refillMs ?? 300_000,
    };
    this.#clock = clock;
    for (const [name, value] of Object.entries(this.#limits)) {
      if (value >= 1 && value < Infinity) continue;
      throw new RangeError(`Cannot record events: ${name} must be at least 1, is ${value}`);
    }
  }

  /**
   * Remembers an event, and returns the series that it belongs to and its note there: the series of
   * equal events, or the series of the cause when too many events of the cause had different notes
   * (tools/record/events_cache.go, EventAggregate).
   */
  correlate({ cause, note }: EventLikeness): CorrelatedEvent {
    const { aggregateFrom, aggregateWithinMs } = this.#limits;
    const atMs = this.#clock.monotonicMs();
    const known = this.#notes.get(cause);
    const notes = known && atMs - known.atMs <= aggregateWithinMs ? known.notes : new Set<string>();
    // The set never grows beyond the limit; which of its notes makes room does not matter.
    if (notes.size >= aggregateFrom - 1 && !notes.has(note)) {
      this.#notes.set(cause, { notes, atMs });
      return { key: cause, note: `(combined from similar events): ${note}` };
    }
    this.#notes.set(cause, { notes: notes.add(note), atMs });
    return { key: `${cause}\n${note}`, note };
  }

  /**
   * Takes a token of the rate limit for new events of one type about an object, and reports whether
   * a token was left (tools/record/events_cache.go, EventSourceObjectSpamFilter).
   */
  admit({ object }: EventLikeness): boolean {
    const { burst, refillMs } = this.#limits;
    const budget = this.#budgets.get(object) ??
      new TokenBucket({ perSecond: 1_000 / refillMs, burst, clock: this.#clock });
    this.#budgets.set(object, budget);
    return budget.tryTake();
  }
}
