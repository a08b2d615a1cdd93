import { type Clock, systemClock } from "@xca/apimachinery/base";

/** The age at which credential files are read again, in milliseconds, as in client-go. */
export const REFRESH_PERIOD_MS = 60_000;
/** The time after a failed read of a credential file until the next one, in milliseconds. */
export const REFRESH_RETRY_MS = 10_000;

/**
 * Options of the {@linkcode Refreshed} constructor, for a value, such as a file, that is read again
 * regularly.
 */
export interface RefreshedInit<T> {
  /** The function that reads the value; it returns `last` itself when the value has not changed. */
  readonly read: (last: T | undefined) => Promise<T>;
  /** The callback that receives the error of a failed read when the cache keeps the last value. */
  readonly onKept: (error: unknown) => void;
  /**
   * The value that is used before the first read, for `initialMs`, and then for as long as reading
   * fails.
   *
   * @default {none}
   */
  readonly initial?: T | undefined;
  /**
   * The time from the creation for which the initial value is used before the first read, in
   * milliseconds.
   *
   * @default {60_000}
   */
  readonly initialMs?: number;
  /** The clock that measures the age of the value that is refreshed. @default {systemClock} */
  readonly clock?: Clock | undefined;
}

/**
 * A cached value, such as a token, from files that are replaced from time to time. {@linkcode
 * Refreshed.current} reads the value again when it is older than {@linkcode REFRESH_PERIOD_MS}, and
 * keeps the last value while reading fails. Concurrent calls share one read.
 */
export class Refreshed<T> {
  readonly #init: RefreshedInit<T>;
  readonly #clock: Clock;
  #last: T | undefined;
  #freshUntilMs = -Infinity;
  #reading: Promise<T> | undefined;

  constructor(init: RefreshedInit<T>) {
    const { initial, initialMs = REFRESH_PERIOD_MS, clock = systemClock } = init;
    this.#init = init;
    this.#clock = clock;
    this.#last = initial;
    if (initial !== undefined) this.#freshFor(initialMs);
  }

  /**
   * The last value that was read successfully, however old, or else the initial value; `undefined`
   * without either.
   */
  get last(): T | undefined {
    return this.#last;
  }

  /**
   * Returns the last value, after reading it again if it has expired: {@linkcode REFRESH_PERIOD_MS}
   * after a successful read, {@linkcode REFRESH_RETRY_MS} after a failed one. Rejects when the read
   * fails and there is no earlier value.
   */
  current(): T | Promise<T> {
    const isFresh = this.#last !== undefined && this.#clock.monotonicMs() < this.#freshUntilMs;
    return isFresh ? this.#last! : this.refresh();
  }

  /**
   * Reads the value now and returns it; the last value when the read fails. A call during a read
   * shares that read. Rejects with the error of the read when there is no earlier value.
   */
  refresh(): Promise<T> {
    return this.#reading ??= this.#read().finally(() => this.#reading = undefined);
  }

  /** Expires the cached value, so that the next {@linkcode Refreshed.current} reads it again. */
  expire(): void {
    this.#freshUntilMs = -Infinity;
  }

  async #read(): Promise<T> {
    try {
      this.#last = await this.#init.read(this.#last);
      this.#freshFor(REFRESH_PERIOD_MS);
    } catch (error) {
      if (this.#last === undefined) throw error;
      this.#freshFor(REFRESH_RETRY_MS);
      this.#init.onKept(error);
    }
    return this.#last;
  }

  #freshFor(durationMs: number): void {
    this.#freshUntilMs = this.#clock.monotonicMs() + durationMs;
  }
}
