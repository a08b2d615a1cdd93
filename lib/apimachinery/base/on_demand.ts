/**
 * A module of the server that is loaded when a request first needs it. The caller loads it before
 * the request is handled, so that the code that uses it is synchronous.
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
