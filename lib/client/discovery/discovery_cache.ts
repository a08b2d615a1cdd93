import { type Clock, delay, systemClock } from "@xca/apimachinery/base";

/** Options for {@linkcode DiscoveryCache}. */
export interface DiscoveryCacheOptions {
  /** The least time between two fetches that misses ask for, in milliseconds. @default {1_000} */
  readonly minRefreshMs?: number | undefined;
  /** How old an answer may be, in milliseconds. @default {600_000} */
  readonly maxAgeMs?: number | undefined;
  /** Where time comes from. @default {systemClock} */
  readonly clock?: Clock | undefined;
}

/** A value, and the number of the fetch that brought it. */
export interface Fetched<T> {
  /** The value. */
  readonly value: T;
  /** The number of its fetch, counted from 1. */
  readonly fetch: number;
}

interface Flight<T> {
  /** Its number once it is sent. */
  readonly fetch: number;
  readonly result: Promise<Fetched<T>>;
  readonly abort: AbortController;
  waiting: number;
}

/**
 * Keeps the newest answer to one question. However many ask, one fetch is under way at a time; it is
 * given up when nobody waits for it any more. Who misses something in the answer waits for one that
 * was asked for later; such fetches keep a distance, so that misses cannot become a storm.
 */
export class DiscoveryCache<T> {
  readonly #fetch: (signal: AbortSignal) => Promise<T>;
  readonly #clock: Clock;
  readonly #minRefreshMs: number;
  readonly #maxAgeMs: number;
  #known: (Fetched<T> & { readonly sentMs: number }) | undefined;
  #flight: Flight<T> | undefined;
  /** How many fetches were sent. */
  #sent = 0;
  #sentMs = -Infinity;

  /** Makes an empty cache over `fetch`. */
  constructor(fetch: (signal: AbortSignal) => Promise<T>, options: DiscoveryCacheOptions = {}) {
    this.#fetch = fetch;
    this.#clock = options.clock ?? systemClock;
    this.#minRefreshMs = options.minRefreshMs ?? 1_000;
    this.#maxAgeMs = options.maxAgeMs ?? 600_000;
  }

  /** The number of the last fetch that was sent; what is fetched from now on has a higher one. */
  get sent(): number {
    return this.#sent;
  }

  /**
   * What is known, fetched first where nothing is or it is too old.
   *
   * @throws {unknown} What the fetch rejects with, or the signal's reason.
   */
  async get(signal?: AbortSignal): Promise<Fetched<T>> {
    signal?.throwIfAborted();
    const known = this.#known;
    if (known && this.#clock.monotonicMs() - known.sentMs < this.#maxAgeMs) return known;
    return await this.#join(this.#flight ?? this.#begin(0), signal);
  }

  /** What a fetch brings that is sent after the one of this number. */
  async newerThan(fetch: number, signal?: AbortSignal): Promise<Fetched<T>> {
    for (;;) {
      signal?.throwIfAborted();
      if (this.#known && this.#known.fetch > fetch) return this.#known;
      const waitMs = this.#sentMs + this.#minRefreshMs - this.#clock.monotonicMs();
      const flight = this.#flight ?? this.#begin(waitMs);
      const older = flight.fetch <= fetch;
      // An older one may fail as it likes: the next is what counts.
      const got = await this.#join(flight, signal).catch((error) => {
        if (!older || signal?.aborted) throw error;
      });
      if (got && got.fetch > fetch) return got;
    }
  }

  /** Forgets what is known. A fetch that is sent is not joined by those who ask from now on. */
  invalidate(): void {
    this.#known = undefined;
    if (this.#flight && this.#flight.fetch <= this.#sent) this.#flight = undefined;
  }

  #begin(waitMs: number): Flight<T> {
    const abort = new AbortController();
    const flight: Flight<T> = {
      fetch: this.#sent + 1,
      // Begins after this call, so that the flight is known by then.
      result: Promise.resolve().then(() => this.#run(flight, waitMs)),
      abort,
      waiting: 0,
    };
    this.#flight = flight;
    return flight;
  }

  async #run(flight: Flight<T>, waitMs: number): Promise<Fetched<T>> {
    const { signal } = flight.abort;
    try {
      if (waitMs > 0) await delay(waitMs, { signal, clock: this.#clock });
      signal.throwIfAborted();
      const sentMs = this.#clock.monotonicMs();
      const fetch = ++this.#sent;
      this.#sentMs = sentMs;
      const fetched = { value: await this.#fetch(signal), fetch, sentMs };
      if (this.#flight === flight) this.#known = fetched;
      return fetched;
    } finally {
      if (this.#flight === flight) this.#flight = undefined;
      // What one failed part of the fetch left under way.
      flight.abort.abort();
    }
  }

  async #join(flight: Flight<T>, signal: AbortSignal | undefined): Promise<Fetched<T>> {
    flight.waiting++;
    try {
      return await untilAborted(flight.result, signal);
    } finally {
      if (--flight.waiting === 0 && this.#flight === flight) {
        this.#flight = undefined;
        flight.abort.abort(signal?.reason);
      }
    }
  }
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", onAbort));
  });
}
