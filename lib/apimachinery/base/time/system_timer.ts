import { noteLoopTurn } from "./loop_turns.ts";
import { MAX_TIMER_MS, type RuntimeTimer, type Timer } from "./timer.ts";

const { setTimeout: ownSetTimeout, clearTimeout: ownClearTimeout } = globalThis;

/** Reports whether a test has replaced the timers of the runtime. */
export function areTimersFake(): boolean {
  return globalThis.setTimeout !== ownSetTimeout;
}

/**
 * Starts a timer of the runtime, whatever a test has put in its place. The delay is a whole number
 * of milliseconds, at most {@linkcode MAX_TIMER_MS}.
 */
export function startRuntimeTimer(delayMs: number, callback: () => void): RuntimeTimer {
  const id = ownSetTimeout(callback, delayMs);
  const timer: RuntimeTimer = {
    hold: (holds) => setHolds(id, holds),
    unref: () => {
      setHolds(id, false);
      return timer;
    },
    [Symbol.dispose]: () => ownClearTimeout(id),
  };
  return timer;
}

/** Sets whether a timer keeps the process alive. */
function setHolds(id: ReturnType<typeof setTimeout>, holds: boolean): void {
  // Since Deno 2.9 timers are objects, for which these functions have no overloads.
  if (holds) Deno.refTimer(id as unknown as number);
  else Deno.unrefTimer(id as unknown as number);
}

/**
 * A timer of the runtime, or of a test that has replaced `setTimeout`. A delay above {@linkcode MAX_TIMER_MS} is waited for in several steps;
 * one that is negative or not a number counts as 0.
 */
export class SystemTimer implements Timer {
  #id: ReturnType<typeof setTimeout> | undefined;
  #holds = true;

  constructor(delayMs: number, callback: () => void) {
    this.#start(delayMs > 0 ? delayMs : 0, callback);
  }

  #start(delayMs: number, callback: () => void): void {
    const step = Math.min(delayMs, MAX_TIMER_MS);
    this.#id = setTimeout(() => {
      this.#id = undefined;
      noteLoopTurn();
      if (delayMs > step) this.#start(delayMs - step, callback);
      else callback();
    }, step);
    if (!this.#holds) setHolds(this.#id, false);
  }

  unref(): this {
    this.#holds = false;
    if (this.#id !== undefined) setHolds(this.#id, false);
    return this;
  }

  [Symbol.dispose](): void {
    if (this.#id === undefined) return;
    clearTimeout(this.#id);
    this.#id = undefined;
  }
}
