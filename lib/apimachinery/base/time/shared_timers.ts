import { noteLoopTurn } from "./loop_turns.ts";
import { type Timed, TimeHeap } from "./time_heap.ts";
import { AsyncLocalStorage } from "node:async_hooks";
import { MAX_TIMER_MS, type RuntimeTimer, type Timer } from "./timer.ts";

/** The time and the timers on which {@linkcode SharedTimers} is based. */
export interface TimerSource {
  /** Returns the milliseconds since an arbitrary start; never decreases. */
  monotonicMs(): number;
  /**
   * Starts a timer, which calls `callback` once after `delayMs` milliseconds, a whole number of at
   * most {@linkcode MAX_TIMER_MS}.
   */
  start(delayMs: number, callback: () => void): RuntimeTimer;
  /** Calls `callback` in the next turn of the event loop. */
  soon(callback: () => void): void;
}

interface SharedTimer extends Timer, Timed {
  readonly fire: () => void;
  /** Reports whether the timer keeps the process alive while it waits. */
  holds: boolean;
}

/**
 * Timers that share one timer of the runtime, which waits for the earliest of them.
 *
 * Most timers are deadlines, which are cancelled long before they are due; a reconcile run starts
 * four. To start and to cancel a timer of the runtime takes some ten microseconds in a process that
 * sleeps between its runs.
 *
 * - A timer fires at its time or later, in the async context in which it was started. Timers fire in
 *   the order of their times, those of one time in the order in which they were started, each in a
 *   separate turn of the event loop: what a callback releases can cancel the timers after it.
 * - The runtime's timer keeps the process alive as long as one of the timers does, and does not run
 *   while there are none.
 */
export class SharedTimers {
  readonly #source: TimerSource;
  readonly #waiting = new TimeHeap<SharedTimer>();
  /** The number of waiting timers that keep the process alive. */
  #holding = 0;
  #order = 0;
  /** The runtime's timer, and the time at which it fires; `undefined` while it does not run. */
  #shared: { readonly timer: RuntimeTimer; readonly atMs: number } | undefined;

  constructor(source: TimerSource) {
    this.#source = source;
  }

  /**
   * Calls `callback` once after `delayMs` milliseconds, at least 0, unless the returned timer is
   * disposed.
   */
  after(delayMs: number, callback: () => void): Timer {
    const inContext = AsyncLocalStorage.snapshot();
    const timer: SharedTimer = {
      readyAtMs: this.#source.monotonicMs() + delayMs,
      order: this.#order++,
      index: -1,
      holds: true,
      fire: () => inContext(callback),
      unref: () => {
        if (timer.holds && timer.index >= 0) this.#release();
        timer.holds = false;
        return timer;
      },
      [Symbol.dispose]: () => {
        if (timer.index < 0) return;
        this.#remove(timer);
        if (this.#waiting.size === 0) this.#stop();
      },
    };
    this.#waiting.push(timer);
    if (++this.#holding === 1) this.#shared?.timer.hold(true);
    this.#wait();
    return timer;
  }

  /**
   * Starts the runtime's timer for the earliest timer, unless it fires early enough. Stops it when
   * there are no timers.
   */
  #wait(): void {
    const next = this.#waiting.peek();
    if (next && this.#shared && this.#shared.atMs <= next.readyAtMs) return;
    this.#stop();
    if (!next) return;
    const atMs = next.readyAtMs;
    const inMs = Math.max(0, atMs - this.#source.monotonicMs());
    const timer = this.#source.start(Math.min(Math.ceil(inMs), MAX_TIMER_MS), () => this.#fire());
    if (this.#holding === 0) timer.hold(false);
    this.#shared = { timer, atMs };
  }

  #stop(): void {
    this.#shared?.timer[Symbol.dispose]();
    this.#shared = undefined;
  }

  #fire(): void {
    this.#stop();
    noteLoopTurn();
    const due = this.#takeDue();
    try {
      due?.fire();
    } finally {
      if (due && this.#isDue()) this.#source.soon(() => this.#fire());
      else this.#wait();
    }
  }

  #takeDue(): SharedTimer | undefined {
    const next = this.#isDue() ? this.#waiting.peek() : undefined;
    if (next) this.#remove(next);
    return next;
  }

  #isDue(): boolean {
    const next = this.#waiting.peek();
    return next !== undefined && next.readyAtMs <= this.#source.monotonicMs();
  }

  #remove(timer: SharedTimer): void {
    this.#waiting.remove(timer);
    if (timer.holds) this.#release();
  }

  #release(): void {
    if (--this.#holding === 0) this.#shared?.timer.hold(false);
  }
}
