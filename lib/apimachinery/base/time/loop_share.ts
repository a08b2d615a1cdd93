import { type Clock, systemClock } from "./clock.ts";
import { SLICE_MS, TimeSlice } from "./time_slice.ts";

/**
 * Minimum time, since a task began or last waited, for which the task may occupy the event loop
 * although other tasks have used up the slice, in milliseconds.
 */
const OWN_MS = 1;

/**
 * A scheduler that shares the event loop's time among the tasks of one server. A task checks
 * {@linkcode Work.used} after each step and, when it is true, awaits {@linkcode Work.next}, which
 * lets timers and sockets run. All tasks share one slice: the tasks that begin in one turn of the
 * loop together occupy the loop for little longer than one of them alone. A task of less than a
 * millisecond never waits.
 *
 * On a clock that does not advance during work, as in simulations, no task waits.
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
   * Begins a task that shares the event loop. `signalOf` returns the signal that ends the task, and
   * is called whenever the task waits. The task does not wait before it has checked {@linkcode
   * Work.used} `leastSteps` times.
   */
  begin(signalOf?: () => AbortSignal | undefined, leastSteps: number = 0): Work {
    // No task waits for a turn: those that used up the slice have ended, mostly in an earlier turn.
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

/**
 * The functions by which a task waits for its turn of the event loop: `own` rejects when the task's
 * signal is aborted, `detached` has no signal.
 */
interface Turns {
  readonly own: () => Promise<void>;
  readonly detached: () => Promise<void>;
}

/** Runs all steps of a generator without yielding to other work, and returns its result. */
export function runAll<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * A generator of steps. To pause it yields `undefined`; to run another such generator first and
 * receive its result, it yields that generator.
 */
export type NestedSteps<T> = Generator<NestedSteps<unknown> | void, T, never>;

/**
 * Runs the steps of a generator and of the generators that it yields, and yields at each pause. The
 * unfinished generators are in a list, not on the call stack, so that they may be 10 000 levels
 * deep. An error that one of them throws ends the run; the generators that wait for it cannot catch
 * it.
 */
export function* runNested<T>(first: NestedSteps<T>): Generator<void, T> {
  const open: NestedSteps<unknown>[] = [first];
  let value: unknown;
  for (;;) {
    const step = open.at(-1)!.next(value as never);
    value = undefined;
    if (step.done) {
      value = step.value;
      open.pop();
      if (open.length === 0) return value as T;
    } else if (step.value) open.push(step.value);
    else yield;
  }
}

/** A task that may be long and shares the event loop; created by {@linkcode LoopShare.begin}. */
export class Work {
  readonly #clock: Clock;
  readonly #slice: TimeSlice;
  readonly #turns: Turns;
  #beganMs: number;
  #isLong = false;
  #stepsLeft: number;

  constructor(clock: Clock, slice: TimeSlice, leastSteps: number, turns: Turns) {
    this.#clock = clock;
    this.#slice = slice;
    this.#stepsLeft = leastSteps;
    this.#turns = turns;
    this.#beganMs = clock.monotonicMs();
  }

  /**
   * Reports whether the task should yield the event loop now. Each read counts as one step of the
   * task.
   */
  get used(): boolean {
    if (this.#stepsLeft > 0) {
      this.#stepsLeft--;
      return false;
    }
    return this.#slice.used && this.#clock.monotonicMs() - this.#beganMs >= OWN_MS;
  }

  /**
   * Reports whether the task has yielded the event loop at least once, by {@linkcode Work.next}.
   */
  get isLong(): boolean {
    return this.#isLong;
  }

  /**
   * Yields to other work and resolves when this task may continue.
   *
   * @throws {unknown} The reason of the signal, when it is or becomes aborted.
   */
  async next(): Promise<void> {
    this.#isLong = true;
    await this.#turns.own();
    this.#beganMs = this.#clock.monotonicMs();
  }

  /**
   * Begins a task that shares the event loop like this one but is not ended by the signal of this
   * task, for work whose result other tasks need too.
   */
  detached(): Work {
    const { detached } = this.#turns;
    return new Work(this.#clock, this.#slice, 0, { own: detached, detached });
  }

  /**
   * Runs all steps of a generator: at once when they fit in the slice, else with waits in between,
   * during which the state that the steps have read may change. Returns the result of the
   * generator, or a promise of it, which rejects with the reason of the task's signal when that is
   * aborted during a wait.
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
