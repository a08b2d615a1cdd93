import type { Clock } from "@xca/apimachinery/base";
import {
  type AddOptions,
  DelayingQueue,
  ItemExponentialLimiter,
  Queue,
  RateLimitingQueue,
} from "@xca/apimachinery/workqueue";
import type { Registry, StoredChange } from "../machinery/registry.ts";

const FIRST_RETRY_MS = 5;
const LAST_RETRY_MS = 60_000;

/**
 * The single worker of a work queue of keys: processes keys one at a time, each once however often
 * it was added in the meantime. Processing starts in a microtask after the code that added a key;
 * only retries, with exponential back-off, need a timer, which does not keep the process alive.
 * Equal sequences of requests therefore cause equal work.
 */
export class Worker implements Disposable {
  readonly #work: (key: string) => Promise<void>;
  readonly #queue: RateLimitingQueue<string>;
  readonly #subscriptions = new DisposableStack();
  #running = false;

  /**
   * Creates a worker that calls the function `work` for each queued key, and again later when it
   * rejects.
   */
  constructor(clock: Clock, work: (key: string) => Promise<void>) {
    this.#work = work;
    const ready = new WakingQueue(clock, () => this.#wake());
    this.#queue = new RateLimitingQueue({
      clock,
      queue: new DelayingQueue({ clock: unrefClock(clock), queue: ready }),
      rateLimiter: new ItemExponentialLimiter({ baseMs: FIRST_RETRY_MS, maxMs: LAST_RETRY_MS }),
    });
  }

  /**
   * Adds a key to the queue of the worker, unless the key is waiting there; a key that is being
   * processed is processed again.
   */
  add(key: string): void {
    this.#queue.add(key);
  }

  /**
   * Calls a listener, which adds keys to the queue, after each write until the worker is disposed.
   */
  follow(registry: Pick<Registry, "subscribe">, listener: (change: StoredChange) => void): void {
    this.#subscriptions.use(registry.subscribe(listener));
  }

  /** Stops the worker after the key that it is processing. */
  [Symbol.dispose](): void {
    this.#subscriptions[Symbol.dispose]();
    this.#queue.shutDown();
  }

  #wake(): void {
    if (this.#running) return;
    this.#running = true;
    queueMicrotask(() => void this.#run());
  }

  async #run(): Promise<void> {
    while (this.#queue.len > 0 && !this.#queue.shuttingDown) {
      // The queue is not empty, so that `get` returns a lease and not a promise. An `await` here
      // would let a second add of the key repeat its work.
      const taken = this.#queue.get();
      using lease = taken instanceof Promise ? await taken : taken;
      if (lease) await this.#process(lease.key);
    }
    this.#running = false;
  }

  /**
   * Processes a key. The worker retries after a failure and does not report the failure, which is
   * visible in the state that the worker maintains.
   */
  async #process(key: string): Promise<void> {
    try {
      await this.#work(key);
      this.#queue.forget(key);
    } catch {
      this.#queue.addRateLimited(key);
    }
  }
}

/** A work queue that calls a function after each addition of a key, including delayed ones. */
class WakingQueue extends Queue<string> {
  readonly #wake: () => void;

  constructor(clock: Clock, wake: () => void) {
    super({ clock });
    this.#wake = wake;
  }

  override add(key: string, options?: AddOptions): void {
    super.add(key, options);
    if (this.len > 0) this.#wake();
  }
}

/** Returns a clock whose timers do not keep the process alive. */
function unrefClock(clock: Clock): Clock {
  return {
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    after: (ms, run) => clock.after(ms, run).unref(),
  };
}
