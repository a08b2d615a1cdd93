import { type Clock, systemClock } from "./clock.ts";
import { SLICE_MS, TimeSlice } from "./time_slice.ts";

/** The least time that one task runs although others have used up the slice, in milliseconds. */
const OWN_MS = 1;

/**
 * The event loop's time, shared by all work of one server. A piece of work asks
 * {@linkcode Work.used} after each step, and when it is true awaits {@linkcode Work.next}, which lets
 * timers and sockets have their turn. All pieces share one slice: those that begin in one turn of the
 * loop hold it together for hardly longer than one of them alone. A piece that takes less than a
 * millisecond never waits.
 *
 * On a clock that stands still while work is done, as that of a simulation, nothing ever waits.
 *
 * @example
 * ```ts
 * import { LoopShare } from "./loop_share.ts";
 *
 * const share = new LoopShare();
 * const work = share.begin();
 * let sum = 0;
 * for (let i = 0; i < 100_000; i++) {
 *   sum += i;
 *   if (i % 100 === 0 && work.used) await work.next();
 * }
 * ```
 */
export class LoopShare {
  readonly #clock: Clock;
  readonly #slice: TimeSlice;
  #waiting = 0;

  constructor(clock: Clock = systemClock, lengthMs: number = SLICE_MS) {
    this.#clock = clock;
    this.#slice = new TimeSlice(clock, lengthMs);
  }

  /**
   * Begins a piece of work; `signalOf` is asked for what ends it when it first waits. It never
   * waits before it has asked `leastSteps` times.
   */
  begin(signalOf?: () => AbortSignal | undefined, leastSteps: number = 0): Work {
    // Nobody waits for a turn: those who used the slice up have ended, mostly in an earlier turn.
    if (this.#waiting === 0 && this.#slice.used) this.#slice.restart();
    return new Work(this.#clock, this.#slice, leastSteps, {
      own: () => this.#turn(signalOf?.()),
      detached: () => this.#turn(),
    });
  }

  async #turn(signal?: AbortSignal): Promise<void> {
    this.#waiting++;
    try {
      await this.#slice.next(signal);
    } finally {
      this.#waiting--;
    }
  }
}

/** Waits for the next turn: one that ends with the signal of the work, and one that does not. */
interface Turns {
  readonly own: () => Promise<void>;
  readonly detached: () => Promise<void>;
}

/** Runs steps to their end, without letting others run. */
export function runAll<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** A piece of work that may be long; {@linkcode LoopShare.begin} makes it. */
export class Work {
  readonly #clock: Clock;
  readonly #slice: TimeSlice;
  readonly #turns: Turns;
  #beganMs: number;
  #stepsLeft: number;

  constructor(clock: Clock, slice: TimeSlice, leastSteps: number, turns: Turns) {
    this.#clock = clock;
    this.#slice = slice;
    this.#stepsLeft = leastSteps;
    this.#turns = turns;
    this.#beganMs = clock.monotonicMs();
  }

  /** Reports whether the task should yield. */
  get used(): boolean {
    if (this.#stepsLeft > 0) {
      this.#stepsLeft--;
      return false;
    }
    return this.#slice.used && this.#clock.monotonicMs() - this.#beganMs >= OWN_MS;
  }

  /**
   * Lets others run; settles when it is the turn of this piece.
   *
   * @throws {unknown} The reason of the signal, when it is or becomes aborted.
   */
  async next(): Promise<void> {
    await this.#turns.own();
    this.#beganMs = this.#clock.monotonicMs();
  }

  /** Begins a piece of work that others need too: it does not end with the signal of this one. */
  detached(): Work {
    const { detached } = this.#turns;
    return new Work(this.#clock, this.#slice, 0, { own: detached, detached });
  }

  /**
   * Runs steps to their end: at once when they take no longer than the slice, else with waits
   * between. Where it waits, what the steps have read may change meanwhile.
   */
  run<T>(steps: Generator<unknown, T>): T | Promise<T> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      if (this.used) return this.#finish(steps);
    }
  }

  async #finish<T>(steps: Generator<unknown, T>): Promise<T> {
    try {
      for (;;) {
        await this.next();
        do {
          const { done, value } = steps.next();
          if (done) return value;
        } while (!this.used);
      }
    } finally {
      steps.return(undefined!);
    }
  }
}
