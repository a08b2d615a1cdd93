import type { Clock } from "@xca/apimachinery/base";

/** The maximum number of kept decisions; the oldest are forgotten first. */
const MAX_DECISIONS = 1_024;

/** A decision, and how long it holds. */
export interface Decision<T> {
  /** The decision. */
  readonly value: T;
  /** The time that the decision holds, in milliseconds. */
  readonly holdsMs: number;
}

/** Keeps decisions of a server for a while. Questions at once about one key share one request. */
export class DecisionCache<T> {
  readonly #clock: Clock;
  readonly #kept = new Map<string, { readonly value: T; readonly untilMs: number }>();
  readonly #asking = new Map<string, Promise<T>>();

  /** Creates an empty cache. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the decision about a key; `ask` is called when none is kept. An error is not kept. */
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
