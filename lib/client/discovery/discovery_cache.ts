import { type Clock, delay, systemClock } from "@xca/apimachinery/base";

/** Options of the class {@linkcode DiscoveryCache}, a cache of discovery results. */
export interface DiscoveryCacheOptions {
  /**
   * The least time between a discovery request and the next one that is sent because a name was not
   * found, in milliseconds.
   *
   * @default {1_000}
   */
  readonly minRefreshMs?: number | undefined;
  /**
   * The largest age of a cached discovery result, in milliseconds since its request was sent.
   * @default {600_000}
   */
  readonly maxAgeMs?: number | undefined;
  /** The clock that measures the age of cached discovery results. @default {systemClock} */
  readonly clock?: Clock | undefined;
}

/** A cached discovery result, and the sequence number of the request that returned it. */
export interface Fetched<T> {
  /** The discovery result that the request returned. */
  readonly value: T;
  /**
   * The sequence number of the fetch that returned the cached value; the first fetch has number 1.
   */
  readonly fetch: number;
}

interface Flight<T> {
  /** The sequence number of the discovery request in flight, once it is sent. */
  readonly fetch: number;
  readonly result: Promise<Fetched<T>>;
  readonly abort: AbortController;
  waiting: number;
}

/**
 * A cache of the newest result of a fetch, such as discovery. Concurrent callers share one fetch,
 * which is aborted when no caller waits for it. A caller that does not find a name in the result
 * waits for a newer fetch; such fetches have a minimum interval, so that unknown names do not flood
 * the server.
 */
export class DiscoveryCache<T> {
  readonly #fetch: (signal: AbortSignal) => Promise<T>;
  readonly #clock: Clock;
  readonly #minRefreshMs: number;
  readonly #maxAgeMs: number;
  #known: (Fetched<T> & { readonly sentMs: number }) | undefined;
  #flight: Flight<T> | undefined;
  /** The number of discovery requests that the cache has sent. */
  #sent = 0;
  #sentMs = -Infinity;

  /** Creates an empty cache of the discovery results that `fetch` requests. */
  constructor(fetch: (signal: AbortSignal) => Promise<T>, options: DiscoveryCacheOptions = {}) {
    this.#fetch = fetch;
    this.#clock = options.clock ?? systemClock;
    this.#minRefreshMs = options.minRefreshMs ?? 1_000;
    this.#maxAgeMs = options.maxAgeMs ?? 600_000;
  }

  /**
   * The sequence number of the last discovery request that was sent; 0 before the first. Later
   * requests have higher numbers.
   */
  get sent(): number {
    return this.#sent;
  }

  /**
   * Returns the cached discovery result. Requests the result first when none is cached, or the
   * cached result was requested longer than `maxAgeMs` ago.
   *
   * @throws {unknown} The rejection of the fetch, or the reason of the signal.
   */
  async get(signal?: AbortSignal): Promise<Fetched<T>> {
    signal?.throwIfAborted();
    const known = this.#known;
    if (known && this.#clock.monotonicMs() - known.sentMs < this.#maxAgeMs) return known;
    return await this.#join(this.#flight ?? this.#begin(0), signal);
  }

  /**
   * Returns a discovery result of a later request than that of the given sequence number. If there
   * is no such result yet, requests one once `minRefreshMs` have passed since the last request was
   * sent.
   *
   * @throws {unknown} The rejection of the fetch, or the reason of the signal.
   */
  async newerThan(fetch: number, signal?: AbortSignal): Promise<Fetched<T>> {
    for (;;) {
      signal?.throwIfAborted();
      if (this.#known && this.#known.fetch > fetch) return this.#known;
      const waitMs = this.#sentMs + this.#minRefreshMs - this.#clock.monotonicMs();
      const flight = this.#flight ?? this.#begin(waitMs);
      const older = flight.fetch <= fetch;
      // The failure of an older fetch does not matter: the next one decides.
      const got = await this.#join(flight, signal).catch((error) => {
        if (!older || signal?.aborted) throw error;
      });
      if (got && got.fetch > fetch) return got;
    }
  }

  /**
   * Discards the cached discovery result. Later callers do not wait for a request that is already
   * sent.
   */
  invalidate(): void {
    this.#known = undefined;
    if (this.#flight && this.#flight.fetch <= this.#sent) this.#flight = undefined;
  }

  #begin(waitMs: number): Flight<T> {
    const abort = new AbortController();
    const flight: Flight<T> = {
      fetch: this.#sent + 1,
      // Begins in a microtask, so that the flight is recorded before.
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
      // Aborts the calls that one failed part of the fetch left in flight.
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
