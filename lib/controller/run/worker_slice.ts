import type { Clock } from "@xca/apimachinery/base";
import { loopTurns, TimeSlice } from "@xca/apimachinery/internal/base";

/**
 * The time slice of one worker of a controller on the event loop. The slice begins again after each
 * turn of the event loop: a worker whose runs wait for the network needs no timer between them,
 * which takes 0.1 ms of CPU and delays the next run by 2 ms.
 */
export class WorkerSlice {
  readonly #slice: TimeSlice;
  #turn = loopTurns();

  constructor(clock: Clock) {
    this.#slice = new TimeSlice(clock);
  }

  /**
   * Reports whether the time slice is used up, so that timers and sockets must get a turn before
   * the next run of the worker; begins a new slice if the event loop has turned since the last.
   */
  get used(): boolean {
    if (loopTurns() !== this.#turn) this.restart();
    return this.#slice.used;
  }

  /** Lets timers and sockets run before the worker continues. */
  async next(): Promise<void> {
    await this.#slice.next();
    this.#turn = loopTurns();
  }

  /** Begins a new time slice of a worker that has just waited, without yielding to other work. */
  restart(): void {
    this.#turn = loopTurns();
    this.#slice.restart();
  }
}
