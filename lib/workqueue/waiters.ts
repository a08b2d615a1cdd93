/**
 * Callers waiting for a value, served in the order they came. A waiter is either still in the set,
 * or it has been served, or it was aborted: deciding and leaving are one synchronous step, so a
 * value is never given to someone who has gone.
 */
export class Waiters<T> {
  /** Those neither served nor aborted, first come first. */
  readonly #waiting = new Set<(value: T) => void>();

  /** How many wait. */
  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Waits to be served.
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

  /** Gives the value to the first who waits; false when none does. */
  serveOne(value: T): boolean {
    for (const serve of this.#waiting) {
      this.#waiting.delete(serve);
      serve(value);
      return true;
    }
    return false;
  }

  /** Gives the value to all who wait. */
  serveAll(value: T): void {
    while (this.serveOne(value));
  }
}
