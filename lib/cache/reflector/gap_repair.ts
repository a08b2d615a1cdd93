import { Backoff, type Clock, type Random, type Timer } from "@xca/apimachinery/base";

/**
 * Schedules a relist after a change may have been missed. The pause doubles with every incident,
 * from one second to five minutes (up to twice that with jitter), so that an object that can never
 * be decoded costs a list every few minutes, and one that was damaged in transit is repaired soon.
 */
export class GapRepair {
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  #timer: Timer | undefined;
  #due = false;
  #onDue: ((reason: unknown) => void) | undefined;

  /** Creates a repair with nothing scheduled. */
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

  /** Whether the relist is due. */
  get due(): boolean {
    return this.#due;
  }

  /** Schedules a relist, unless one is scheduled already. */
  schedule(): void {
    if (this.#timer || this.#due) return;
    this.#timer = this.#clock.after(this.#backoff.nextMs(), () => {
      this.#timer = undefined;
      this.#due = true;
      this.#onDue?.(missing());
    });
  }

  /** Calls back when the relist is due, at once if it is due already, until disposed. */
  onDue(callback: (reason: unknown) => void): Disposable {
    this.#onDue = callback;
    if (this.#due) callback(missing());
    return { [Symbol.dispose]: () => this.#onDue = undefined };
  }

  /** Records that the whole state was read again. */
  settle(): void {
    this.cancel();
    this.#due = false;
  }

  /** Cancels a scheduled relist. */
  cancel(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }
}

function missing(): DOMException {
  return new DOMException("a change may be missing", "AbortError");
}
