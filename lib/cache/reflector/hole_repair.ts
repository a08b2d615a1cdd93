import { Backoff, type Clock, type Random, type Timer } from "@xca/apimachinery/base";

/**
 * Decides when the whole state is read again because a change may be missing in it: after a pause
 * that doubles with every such incident, from one second to five minutes (and up to twice that by
 * jitter). An object that nobody can ever decode thus costs a list every few minutes; one that was
 * spoiled on the way is soon made good.
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
      this.#onDue?.(missing());
    });
  }

  /** Calls back when the time comes, or at once when it has come, until disposed. */
  onDue(callback: (reason: unknown) => void): Disposable {
    this.#onDue = callback;
    if (this.#due) callback(missing());
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

function missing(): DOMException {
  return new DOMException("a change may be missing", "AbortError");
}
