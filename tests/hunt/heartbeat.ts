import { systemClock } from "../../lib/base/clock.ts";

/** Measures for how long the event loop is held: how late a timer that is always due comes. */
export class Heartbeat implements Disposable {
  #stopped = false;
  #lastMs = systemClock.monotonicMs();
  #longestMs = 0;

  constructor() {
    this.#beat();
  }

  /** The longest hold since the last {@linkcode Heartbeat.reset}, in milliseconds. */
  get longestMs(): number {
    return Math.max(this.#longestMs, systemClock.monotonicMs() - this.#lastMs);
  }

  /** Begins to measure anew. */
  reset(): void {
    this.#longestMs = 0;
    this.#lastMs = systemClock.monotonicMs();
  }

  [Symbol.dispose](): void {
    this.#stopped = true;
  }

  #beat(): void {
    const now = systemClock.monotonicMs();
    this.#longestMs = Math.max(this.#longestMs, now - this.#lastMs);
    this.#lastMs = now;
    systemClock.after(0, () => {
      if (!this.#stopped) this.#beat();
    }).unref();
  }
}

/** The longest hold of the event loop while work is done, in milliseconds. */
export async function longestHold(work: () => Promise<unknown>): Promise<number> {
  using heartbeat = new Heartbeat();
  const turn = (): Promise<void> => new Promise((resolve) => systemClock.after(2, resolve));
  await turn();
  heartbeat.reset();
  await work();
  await turn();
  return heartbeat.longestMs;
}
