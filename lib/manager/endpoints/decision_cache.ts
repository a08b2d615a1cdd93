import type { Clock } from "@xca/apimachinery/base";

/** The maximum number of access decisions in the cache; the oldest are dropped first. */
const MAX_DECISIONS = 1_024;

/**
 * An access decision of the API server, and the time for which the decision is valid: the result of
 * the argument `ask` of {@linkcode DecisionCache.of}.
 */
export interface Decision<T> {
  /** The access decision of the API server, such as the user of a token. */
  readonly value: T;
  /** The time from its arrival for which the access decision is valid, in milliseconds. */
  readonly holdsMs: number;
}

/** A cache of access decisions. Concurrent lookups of one key share one request. */
export class DecisionCache<T> {
  readonly #clock: Clock;
  readonly #kept = new Map<string, { readonly value: T; readonly untilMs: number }>();
  readonly #asking = new Map<string, Promise<T>>();

  /** Creates an empty cache of access decisions. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the access decision of a key; calls `ask` when no valid decision is cached. Rejects
   * with the error of `ask`, which is not cached.
   */
  async of(key: string, ask: () => Promise<Decision<T>>): Promise<T> {
    const kept = this.#kept.get(key);
    if (kept && this.#clock.monotonicMs() < kept.untilMs) return kept.value;
    const running = this.#asking.get(key);
    if (running) return await running;
    const asking = this.#ask(key, ask).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return await asking;
  }

  async #ask(key: string, ask: () => Promise<Decision<T>>): Promise<T> {
    const { value, holdsMs } = await ask();
    this.#kept.delete(key); // A key that is set again moves to the end.
    this.#kept.set(key, { value, untilMs: this.#clock.monotonicMs() + holdsMs });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_DECISIONS) this.#kept.delete(oldest!);
    return value;
  }
}
