/**
 * Objects that many rows of numbers refer to, each by a number of its own for as long as any row does.
 * Nobody else's reference counts: an object that no row refers to is let go of.
 */
export class CountedRefs<V extends object> {
  readonly #values: (V | undefined)[];
  readonly #counts: number[];
  readonly #numbers = new Map<V, number>();
  /** Numbers that stand for nothing, to be given again. */
  readonly #free: number[] = [];
  #last: V | undefined;
  #lastNumber = -1;

  /** Begins without any, or with those of another. */
  constructor(other?: CountedRefs<V>) {
    this.#values = other ? [...other.#values] : [];
    this.#counts = other ? [...other.#counts] : [];
  }

  /** Counts one reference more, and returns the number. */
  add(value: V): number {
    const number = this.#numberOf(value);
    this.#counts[number]!++;
    return number;
  }

  /** The number of an object; `undefined` when nothing refers to it. */
  find(value: V): number | undefined {
    return this.#numbers.get(value);
  }

  /** The object of a number that {@linkcode CountedRefs.add} gave. */
  at(number: number): V {
    return this.#values[number]!;
  }

  /** Counts one reference less. */
  remove(number: number): void {
    if (--this.#counts[number]! > 0) return;
    this.#numbers.delete(this.#values[number]!);
    this.#values[number] = undefined;
    this.#free.push(number);
    this.#last = undefined;
  }

  /** Most rows that follow each other refer to the same. */
  #numberOf(value: V): number {
    if (value === this.#last) return this.#lastNumber;
    let number = this.#numbers.get(value);
    if (number === undefined) {
      number = this.#free.pop() ?? this.#values.length;
      this.#values[number] = value;
      this.#counts[number] = 0;
      this.#numbers.set(value, number);
    }
    this.#last = value;
    return this.#lastNumber = number;
  }
}
