/**
 * A part of the server's code that a start does not need. Whoever answers a request that will need it
 * loads it first; from then on it is there, so that what uses it is synchronous.
 */
export class OnDemand<T extends object> {
  readonly #load: () => Promise<T>;
  #loading: Promise<T> | undefined;
  #code: T | undefined;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** The code, or once it is there, the promise of it. */
  get(): T | Promise<T> {
    return this.#code ?? (this.#loading ??= this.#load().then((code) => this.#code = code));
  }

  /** The code. @throws {Error} When nobody has loaded it. */
  get code(): T {
    if (!this.#code) throw new Error("Cannot use code that is loaded on demand: it is not loaded");
    return this.#code;
  }
}
