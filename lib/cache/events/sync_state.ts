interface Waiter {
  resolve(): void;
  reject(reason: unknown): void;
}

/**
 * A condition that becomes true at most once, such as "the cache has synced", and the callers that
 * wait for it.
 */
export class SyncState {
  /** The callers waiting for the condition; empty once the condition is settled. */
  readonly #waiters = new Set<Waiter>();
  #done = false;
  /** The reason why the awaited condition will never become true. */
  #failure: Error | undefined;

  /** Whether the awaited condition is true. */
  get done(): boolean {
    return this.#done;
  }

  /** Makes the awaited condition true, unless it failed before. */
  finish(): void {
    if (this.#done || this.#failure) return;
    this.#done = true;
    for (const waiter of this.#take()) waiter.resolve();
  }

  /**
   * Records that the condition will never become true, and rejects all waiting callers. Does
   * nothing if the condition is true or failed before.
   */
  fail(error: Error): void {
    if (this.#done || this.#failure) return;
    this.#failure = error;
    for (const waiter of this.#take()) waiter.reject(error);
  }

  /**
   * Resolves once the awaited condition is true.
   *
   * @throws {unknown} The reason of `signal`, if it is or becomes aborted.
   * @throws {Error} If the condition will never become true.
   */
  when(signal?: AbortSignal): Promise<void> {
    if (this.#done) return Promise.resolve();
    if (this.#failure) return Promise.reject(this.#failure);
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiters.delete(waiter);
        reject(signal?.reason);
      };
      const release = (): void => signal?.removeEventListener("abort", onAbort);
      const waiter: Waiter = {
        resolve: () => (release(), resolve()),
        reject: (reason) => (release(), reject(reason)),
      };
      this.#waiters.add(waiter);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  #take(): Waiter[] {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    return waiters;
  }
}
