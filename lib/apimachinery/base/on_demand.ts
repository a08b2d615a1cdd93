/**
 * A loader of a module, or of another object such as a server, that is not needed at a program's
 * start, and is loaded at its first use. The loaded object is passed on as a parameter, so that
 * functions which need the object cannot be called without it.
 */
export class OnDemand<T extends object> {
  readonly #load: () => Promise<T>;
  #loading: Promise<T> | undefined;
  #code: T | undefined;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /**
   * The on-demand module if it is loaded, or a promise of it while it is being loaded; `undefined`
   * before the first use, and after a load that failed.
   */
  get current(): T | Promise<T> | undefined {
    return this.#code ?? this.#loading;
  }

  /**
   * Returns the on-demand module if it is loaded; otherwise loads it and returns a promise of it,
   * which rejects if the load fails. The next call after a load that failed tries it again.
   */
  get(): T | Promise<T> {
    return this.#code ?? (this.#loading ??= this.#loaded());
  }

  async #loaded(): Promise<T> {
    try {
      await undefined; // `get` assigns the promise first, so that a synchronous throw clears it too.
      return this.#code = await this.#load();
    } catch (error) {
      this.#loading = undefined;
      throw error;
    }
  }

  /**
   * Calls `run` with the on-demand module, synchronously if it is loaded, otherwise after loading
   * it. Returns the result of `run` or a promise of it, which rejects if the load fails.
   */
  use<R>(run: (code: T) => R): R | Promise<R> {
    const code = this.get();
    return code instanceof Promise ? code.then(run) : run(code);
  }
}
