import { type Random, seededRandom } from "../../../lib/apimachinery/base/time/random.ts";

/** Choices from one seed. */
export class Chance {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** A whole number from 0 up to `limit`, without it. */
  below(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }

  /** One of some values. */
  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  /** One of some values, the earlier the likelier: right ones come first, wrong ones last. */
  mostly<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random.next() ** 2.5 * values.length)]!;
  }

  /** Reports whether something of this likelihood happens. */
  happens(likelihood: number): boolean {
    return this.#random.next() < likelihood;
  }

  /** Returns some of the values, in their order. */
  some<T>(values: readonly T[], likelihood = 0.5): T[] {
    return values.filter(() => this.happens(likelihood));
  }

  /**
   * An object of those fields whose maker chance picks; a field whose maker gives nothing is left
   * out.
   */
  fields(makers: Readonly<Record<string, () => unknown>>, likelihood = 0.4): Fields {
    const made: Fields = {};
    for (const [field, make] of Object.entries(makers)) {
      if (!this.happens(likelihood)) continue;
      const value = make();
      if (value !== undefined) made[field] = value;
    }
    return made;
  }

  /** Returns a list of up to `limit` values. */
  list<T>(limit: number, make: (index: number) => T): T[] {
    return Array.from({ length: this.below(limit + 1) }, (_, index) => make(index));
  }
}

/** A JSON object in the making. */
export type Fields = Record<string, unknown>;
