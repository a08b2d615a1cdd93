import { type Clock, TokenBucket } from "@xca/apimachinery/base";
import { RecentMap } from "./recent_map.ts";

/**
 * Limits of the events about one object (tools/record/events_cache.go, EventCorrelator). The defaults
 * are those of client-go.
 */
export interface EventLimits {
  /**
   * The number of different notes of otherwise equal events from which on they count as one event.
   *
   * @default {10}
   */
  readonly aggregateFrom?: number | undefined;
  /** The pause after which notes are counted anew, in milliseconds. @default {600_000} */
  readonly aggregateWithinMs?: number | undefined;
  /** The number of new events about an object that may be written at once. @default {25} */
  readonly burst?: number | undefined;
  /**
   * The interval at which one more event about an object may be written, in milliseconds. @default
   * {300_000}
   */
  readonly refillMs?: number | undefined;
}

/** The parts of an event by which it is compared with earlier events. */
export interface EventLikeness {
  /** The object and the type of the event, by which the spam filter counts events. */
  readonly object: string;
  /** All fields of the event but its note, as one text. */
  readonly cause: string;
  /** The note of the event: its text for people. */
  readonly note: string;
}

/** The result of the correlation: the series that an event belongs to, and its note. */
export interface CorrelatedEvent {
  /** The key of the series that the event belongs to. */
  readonly key: string;
  /** The note of the event within its series: its own, or one for many similar events. */
  readonly note: string;
}

/** The number of objects, and of causes, that are remembered (tools/record, maxLruCacheEntries). */
const MOST_REMEMBERED = 4_096;

interface Notes {
  readonly notes: Set<string>;
  atMs: number;
}

/** Combines similar events, and refuses events of an object that come too often. */
export class EventCorrelator {
  readonly #limits: Required<{ [Limit in keyof EventLimits]: number }>;
  readonly #clock: Clock;
  readonly #notes = new RecentMap<string, Notes>(MOST_REMEMBERED);
  readonly #budgets = new RecentMap<string, TokenBucket>(MOST_REMEMBERED);

  /**
   * Creates a correlator that knows no event.
   *
   * @throws {RangeError} When a limit is not a positive number.
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
   * Returns the event that an event counts as: itself, or, when many events of one cause have different
   * notes, one for all of them (tools/record/events_cache.go, EventAggregate).
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
   * Takes the right to write a new event about an object; returns whether there was one left
   * (tools/record/events_cache.go, EventSourceObjectSpamFilter).
   */
  admit({ object }: EventLikeness): boolean {
    const { burst, refillMs } = this.#limits;
    const budget = this.#budgets.get(object) ??
      new TokenBucket({ perSecond: 1_000 / refillMs, burst, clock: this.#clock });
    this.#budgets.set(object, budget);
    return budget.tryTake();
  }
}
