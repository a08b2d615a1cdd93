import { getLogger } from "@logtape/logtape";
import type { Clock, Timer } from "@xca/apimachinery/base";

const logger = getLogger(["xca", "cache", "informer"]);

/**
 * The shortest resync period of an informer or event handler, in milliseconds; shorter periods,
 * except for 0 (none), are raised to it.
 */
export const MIN_RESYNC_MS = 1_000;

/**
 * Returns the effective resync period of an informer or event handler, in milliseconds: 0 is none;
 * a period below one second is raised to one second, and a warning logged. `whose` names the
 * informer or handler in messages.
 *
 * @throws {RangeError} If the period is negative or not a number.
 */
export function checkedResyncPeriod(periodMs: number, whose: string): number {
  if (!(periodMs >= 0)) {
    throw new RangeError(
      `Cannot resync ${whose}: resyncPeriodMs must be 0 or more: current value is ${periodMs}`,
    );
  }
  if (periodMs === 0 || periodMs >= MIN_RESYNC_MS) return periodMs;
  logger.warn("Resync period of {whose} is raised from {periodMs} ms to {raisedMs} ms", {
    whose,
    periodMs,
    raisedMs: MIN_RESYNC_MS,
  });
  return MIN_RESYNC_MS;
}

interface Entry {
  readonly periodMs: number;
  /** The monotonic time at which the next resync of an event handler is due, in milliseconds. */
  dueMs: number;
}

/** A schedule of periodic resyncs of event handlers: a period per handler, one timer for all. */
export class ResyncSchedule<Member> {
  /**
   * The resync periods and due times of the event handlers, by handler; no entry for a handler
   * without a period.
   */
  readonly #entries = new Map<Member, Entry>();
  readonly #clock: Clock;
  readonly #onDue: (due: readonly Member[]) => void;
  /**
   * The timer of the resync schedule, at the earliest `dueMs`; `undefined` while the schedule is
   * stopped or has no entries.
   */
  #timer: Timer | undefined;
  #running = false;

  /**
   * Creates a resync schedule that is inactive until it is started. `onDue` receives the event
   * handlers whose resync is due.
   */
  constructor(clock: Clock, onDue: (due: readonly Member[]) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  /**
   * The shortest resync period of the schedule's event handlers, in milliseconds; 0 when no handler
   * has a period.
   */
  get checkPeriodMs(): number {
    let smallest = 0;
    for (const { periodMs } of this.#entries.values()) {
      if (smallest === 0 || periodMs < smallest) smallest = periodMs;
    }
    return smallest;
  }

  /** Reports whether an event handler has a resync period. */
  has(member: Member): boolean {
    return this.#entries.has(member);
  }

  /**
   * Sets the resync period of an event handler in milliseconds, which begins now. A period of 0 is
   * ignored: it does not remove an earlier period.
   */
  set(member: Member, periodMs: number): void {
    if (periodMs === 0) return;
    this.#entries.set(member, { periodMs, dueMs: this.#clock.monotonicMs() + periodMs });
    this.#arm();
  }

  /** Removes an event handler from the resync schedule. */
  delete(member: Member): void {
    if (this.#entries.delete(member)) this.#arm();
  }

  /**
   * Starts the timer of the resync schedule. An event handler whose period was set before is due
   * one period after that, or at once if that time has passed.
   */
  start(): void {
    this.#running = true;
    this.#arm();
  }

  /** Stops the timer of the resync schedule; the due times are kept. */
  stop(): void {
    this.#running = false;
    this.#arm();
  }

  #arm(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    if (!this.#running || this.#entries.size === 0) return;
    let earliestMs = Infinity;
    for (const { dueMs } of this.#entries.values()) earliestMs = Math.min(earliestMs, dueMs);
    this.#timer = this.#clock.after(
      earliestMs - this.#clock.monotonicMs(),
      () => this.#fire(),
    );
  }

  #fire(): void {
    const nowMs = this.#clock.monotonicMs();
    const due: Member[] = [];
    for (const [member, entry] of this.#entries) {
      if (entry.dueMs > nowMs) continue;
      entry.dueMs = nowMs + entry.periodMs;
      due.push(member);
    }
    this.#arm();
    if (due.length > 0) this.#onDue(due);
  }
}
