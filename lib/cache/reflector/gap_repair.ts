import { Backoff, type Clock, type Random, type Timer } from "@xca/apimachinery/base";

/**
 * A schedule of the relist that follows when a reflector may have missed a change. The pause
 * doubles with every scheduled relist, from one second to five minutes (up to twice that with
 * jitter), and begins at one second again after 20 minutes without one, so that an object that can
 * never be decoded causes only one list every few minutes, while an object that was damaged in
 * transit is repaired soon.
 */
export class GapRepair {
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  #timer: Timer | undefined;
  #due = false;
  #onDue: ((reason: unknown) => void) | undefined;

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

  /**
   * Reports whether the relist that repairs a gap in the cache is due; false while the relist is
   * only scheduled, and if there is no gap.
   */
  get due(): boolean {
    return this.#due;
  }

  /**
   * Schedules a relist that repairs a gap in the cache after the next pause, unless one is
   * scheduled or due already.
   */
  schedule(): void {
    if (this.#timer || this.#due) return;
    this.#timer = this.#clock.after(this.#backoff.nextMs(), () => {
      this.#timer = undefined;
      this.#due = true;
      this.#onDue?.(missing());
    });
  }

  /**
   * Registers the callback that is called when the repairing relist is due, in place of an earlier
   * callback; calls it at once if the relist is due already. `reason` is an AbortError for aborting
   * the watch. Disposing the result removes the callback.
   */
  onDue(callback: (reason: unknown) => void): Disposable {
    this.#onDue = callback;
    if (this.#due) callback(missing());
    return { [Symbol.dispose]: () => this.#onDue = undefined };
  }

  /**
   * Records that the reflector has listed the whole collection again: cancels a scheduled relist,
   * and clears {@linkcode GapRepair.due}.
   */
  settle(): void {
    this.cancel();
    this.#due = false;
  }

  /**
   * Cancels a scheduled relist that would repair a gap in the cache. A relist that is due remains
   * due.
   */
  cancel(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }
}

function missing(): DOMException {
  return new DOMException("a change may be missing", "AbortError");
}
