interface Waiter {
  resolve(): void;
  reject(reason: unknown): void;
}

/**
 * The state of a sync, such as the first list of a cache, which completes at most once; and the
 * callers that wait for it.
 */
export class SyncState {
  /** The callers that wait for the sync; empty once it has completed or failed. */
  readonly #waiters = new Set<Waiter>();
  #done = false;
  /** The reason why the sync will never complete; `undefined` if it has not failed. */
  #failure: Error | undefined;

  /**
   * Reports whether the sync has completed; false while the sync is pending, and after it failed.
   */
  get done(): boolean {
    return this.#done;
  }

  /**
   * Records that the sync has completed, and resolves all waiting callers. Does nothing if the sync
   * has completed or failed before.
   */
  finish(): void {
    if (this.#done || this.#failure) return;
    this.#done = true;
    for (const waiter of this.#take()) waiter.resolve();
  }

  /**
   * Records that the sync failed, and rejects all waiting callers. Does nothing if the sync has
   * completed or failed before.
   */
  fail(error: Error): void {
    if (this.#done || this.#failure) return;
    this.#failure = error;
    for (const waiter of this.#take()) waiter.reject(error);
  }

  /**
   * Resolves once the sync has completed.
   *
   * @throws {unknown} The reason of `signal`, if it is aborted before the sync has completed or
   * failed.
   * @throws {Error} If the sync failed.
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
