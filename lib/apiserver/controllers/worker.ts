import type { Clock, Timer } from "@xca/apimachinery/base";

const FIRST_RETRY_MS = 5;
const LAST_RETRY_MS = 60_000;

/**
 * Works on keys one after the other, each once however often it was added meanwhile. It begins when
 * the code that added a key has run to its end, and needs no timer but to try again what failed,
 * after a pause that doubles: so the same requests are followed by the same work.
 */
export class Worker implements Disposable {
  readonly #clock: Clock;
  readonly #work: (key: string) => Promise<void>;
  readonly #waiting = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Set<Timer>();
  #running = false;
  #disposed = false;

  /** `work` rejects to be called again later. */
  constructor(clock: Clock, work: (key: string) => Promise<void>) {
    this.#clock = clock;
    this.#work = work;
  }

  /** Has a key worked on. */
  add(key: string): void {
    if (this.#disposed) return;
    this.#waiting.add(key);
    if (this.#running) return;
    this.#running = true;
    queueMicrotask(() => void this.#run());
  }

  /** Ends the work after the key at hand. */
  [Symbol.dispose](): void {
    this.#disposed = true;
    this.#waiting.clear();
    for (const timer of this.#timers) timer[Symbol.dispose]();
    this.#timers.clear();
  }

  async #run(): Promise<void> {
    for (;;) {
      const [key] = this.#waiting;
      if (key === undefined) break;
      this.#waiting.delete(key);
      try {
        await this.#work(key);
        this.#failures.delete(key);
      } catch {
        this.#retryLater(key);
      }
    }
    this.#running = false;
  }

  /** What went wrong shows in the state that is worked on, and is tried again: nothing to report. */
  #retryLater(key: string): void {
    if (this.#disposed) return;
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const pause = Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS);
    const timer = this.#clock.after(pause, () => {
      this.#timers.delete(timer);
      this.add(key);
    }).unref();
    this.#timers.add(timer);
  }
}
