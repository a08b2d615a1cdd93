import { LiveList } from "../base/live_list.ts";

/**
 * A queue of callers that wait for a value, served in order. Each waiting caller is served or
 * aborted in one synchronous step, so that no value is given to an aborted caller.
 */
export class Waiters<T> {
  /** The functions that deliver a value to the waiting callers, in the order of their calls. */
  readonly #waiting = new LiveList<(value: T) => void>();

  /** The number of callers that wait for a value, such as the lease of a key. */
  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Returns a promise of the next value that is delivered to the caller, such as the lease of a key
   * of a work queue. Callers are served in the order of their calls.
   *
   * @throws {unknown} The reason of `signal`, when it is or becomes aborted first.
   */
  wait(signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const serve = (value: T): void => {
        signal?.removeEventListener("abort", leave);
        resolve(value);
      };
      const leave = (): void => {
        waiting[Symbol.dispose]();
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      const waiting = this.#waiting.add(serve);
    });
  }

  /** Delivers a value to the caller that has waited longest; returns false when no caller waits. */
  serveOne(value: T): boolean {
    const serve = this.#waiting.shift();
    serve?.(value);
    return serve !== undefined;
  }

  /** Delivers a value to all waiting callers. */
  serveAll(value: T): void {
    while (this.serveOne(value));
  }
}
