import { noteLoopTurn } from "./loop_turns.ts";
import { MAX_TIMER_MS, type RuntimeTimer } from "./timer.ts";

/**
 * A timer of the runtime. A delay above {@linkcode MAX_TIMER_MS} is waited for in several steps;
 * one that is negative or not a number counts as 0.
 */
export class SystemTimer implements RuntimeTimer {
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
    if (!this.#holds) this.hold(false);
  }

  unref(): this {
    this.hold(false);
    return this;
  }

  hold(holds: boolean): void {
    this.#holds = holds;
    // Since Deno 2.9 timers are objects, for which these functions have no overloads.
    const id = this.#id as unknown as number | undefined;
    if (id === undefined) return;
    if (holds) Deno.refTimer(id);
    else Deno.unrefTimer(id);
  }

  [Symbol.dispose](): void {
    if (this.#id === undefined) return;
    clearTimeout(this.#id);
    this.#id = undefined;
  }
}
