/**
 * A queue of callers that wait for a value, served in order. Each waiting caller is served or
 * aborted in one synchronous step, so that no value is given to an aborted caller.
 */
export class Waiters<T> {
  /** The callers of `get` that wait for a key, in the order of their calls. */
  readonly #waiting = new Set<(value: T) => void>();

  /** The number of callers of `get` that wait for a key. */
  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Waits for a key of the work queue, in the order of the calls.
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

  /** Delivers a key to the first waiting caller of `get`; returns false when there is none. */
  serveOne(value: T): boolean {
    for (const serve of this.#waiting) {
      this.#waiting.delete(serve);
      serve(value);
      return true;
    }
    return false;
  }

  /** Delivers a value to all waiting callers of `get`. */
  serveAll(value: T): void {
    while (this.serveOne(value));
  }
}
