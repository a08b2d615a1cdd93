import type { Clock, Timer } from "@xca/apimachinery/base";
import type { Registry, StoredChange } from "../machinery/registry.ts";

const FIRST_RETRY_MS = 5;
const LAST_RETRY_MS = 60_000;

/**
 * A work queue and its single worker: processes keys one at a time, each once however often it was
 * added in the meantime. Processing starts in a microtask after the code that added a key; only
 * retries, with exponential back-off, need a timer. Equal requests are therefore followed by equal
 * work.
 */
export class Worker implements Disposable {
  readonly #clock: Clock;
  readonly #work: (key: string) => Promise<void>;
  readonly #waiting = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Set<Timer>();
  readonly #subscriptions = new DisposableStack();
  #running = false;
  #disposed = false;

  /** Creates a worker that calls `work` for each key, and again later when it rejects. */
  constructor(clock: Clock, work: (key: string) => Promise<void>) {
    this.#clock = clock;
    this.#work = work;
  }

  /** Adds a key to the queue of the worker. */
  add(key: string): void {
    if (this.#disposed) return;
    this.#waiting.add(key);
    if (this.#running) return;
    this.#running = true;
    queueMicrotask(() => void this.#run());
  }

  /** Calls a listener, which adds keys, after each write until the worker is disposed. */
  follow(registry: Pick<Registry, "subscribe">, listener: (change: StoredChange) => void): void {
    this.#subscriptions.use(registry.subscribe(listener));
  }

  /** Stops the worker after the key in progress. */
  [Symbol.dispose](): void {
    this.#disposed = true;
    this.#subscriptions[Symbol.dispose]();
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

  /**
   * Schedules a retry of a failed key. The failure is not reported, since it shows in the state
   * that the worker maintains.
   */
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
