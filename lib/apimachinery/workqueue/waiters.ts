/**
 * A queue of callers that wait for a value, served in order. A waiter is in the set, served, or
 * aborted, and each change is one synchronous step, so that no value is given to an aborted waiter.
 */
export class Waiters<T> {
  /** The callers neither served nor aborted, in order. */
  readonly #waiting = new Set<(value: T) => void>();

  /** The number of waiting callers. */
  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Waits for a value, in the order of the callers.
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
        this.#waiting.delete(serve);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.#waiting.add(serve);
    });
  }

  /** Gives a value to the first waiting caller; returns false when there is none. */
  serveOne(value: T): boolean {
    for (const serve of this.#waiting) {
      this.#waiting.delete(serve);
      serve(value);
      return true;
    }
    return false;
  }

  /** Gives a value to all waiting callers. */
  serveAll(value: T): void {
    while (this.serveOne(value));
  }
}
