interface Waiter {
  resolve(): void;
  reject(reason: unknown): void;
}

/** Something that becomes true once, or never will; and those who wait for it. */
export class SyncState {
  /** Who waits; empty once it is settled. */
  readonly #waiters = new Set<Waiter>();
  #done = false;
  /** Why it will never be done. */
  #failure: Error | undefined;

  /** Whether it is done. */
  get done(): boolean {
    return this.#done;
  }

  /** It is done, unless it has failed before. */
  finish(): void {
    if (this.#done || this.#failure) return;
    this.#done = true;
    for (const waiter of this.#take()) waiter.resolve();
  }

  /** It will never be done, unless it is already. */
  fail(error: Error): void {
    if (this.#done || this.#failure) return;
    this.#failure = error;
    for (const waiter of this.#take()) waiter.reject(error);
  }

  /**
   * Resolves once it is done.
   *
   * @throws {unknown} The reason of `signal`, when it is or becomes aborted.
   * @throws {Error} When it will never be done.
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
