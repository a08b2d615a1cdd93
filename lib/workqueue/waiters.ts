/**
 * Callers that wait for a value, served in order. A waiter is in the set, served, or aborted, and
 * each change is one synchronous step, so that no value is given to an aborted waiter.
 */
export class Waiters<T> {
  /** The waiters neither served nor aborted, in order. */
  readonly #waiting = new Set<(value: T) => void>();

  /** The number of waiters. */
  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Waits for a value.
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

  /** Gives the value to the first waiter; returns false when there is none. */
  serveOne(value: T): boolean {
    for (const serve of this.#waiting) {
      this.#waiting.delete(serve);
      serve(value);
      return true;
    }
    return false;
  }

  /** Gives the value to all waiters. */
  serveAll(value: T): void {
    while (this.serveOne(value));
  }
}
