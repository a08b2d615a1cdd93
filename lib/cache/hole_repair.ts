import { Backoff } from "../base/backoff.ts";
import type { Clock, Timer } from "../base/clock.ts";
import type { Random } from "../base/random.ts";

/**
 * Decides when the whole state is read again because a change may be missing in it: after a pause
 * that doubles with every such incident, so that an object nobody can decode does not make a loop.
 */
export class HoleRepair {
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  #timer: Timer | undefined;
  #due = false;
  #onDue: ((reason: unknown) => void) | undefined;

  /** Makes one that has nothing to repair. */
  constructor({ clock, random }: { readonly clock: Clock; readonly random: Random }) {
    this.#clock = clock;
    this.#backoff = new Backoff({
      initialMs: 1_000,
      maxMs: 300_000,
      resetAfterMs: 1_200_000,
      clock,
      random,
    });
  }

  /** Whether the time has come. */
  get due(): boolean {
    return this.#due;
  }

  /** Notes that a change may be missing. Several before the repair need only one. */
  schedule(): void {
    if (this.#timer || this.#due) return;
    this.#timer = this.#clock.after(this.#backoff.nextMs(), () => {
      this.#timer = undefined;
      this.#due = true;
      this.#onDue?.(new DOMException("a change may be missing", "AbortError"));
    });
  }

  /** Calls back when the time comes, until disposed. */
  onDue(callback: (reason: unknown) => void): Disposable {
    this.#onDue = callback;
    return { [Symbol.dispose]: () => this.#onDue = undefined };
  }

  /** Notes that the whole state was read again. */
  settle(): void {
    this.cancel();
    this.#due = false;
  }

  /** Stops waiting. */
  cancel(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }
}
