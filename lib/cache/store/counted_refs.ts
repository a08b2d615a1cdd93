/** Objects by the numbers under which rows refer to them. */
export interface Refs<V extends object> {
  /** Returns the object of a number in use. */
  at(number: number): V;
  /** Removes one reference. The object is dropped with the last one. */
  remove(number: number): void;
}

/**
 * Objects that many rows refer to by number. An object keeps its number as long as a row refers to
 * it.
 */
export class CountedRefs<V extends object> implements Refs<V> {
  readonly #values: (V | undefined)[] = [];
  readonly #counts: number[] = [];
  readonly #numbers = new Map<V, number>();
  /** Numbers not in use, to be assigned again. */
  readonly #free: number[] = [];
  #last: V | undefined;
  #lastNumber = -1;

  /** Number of objects. */
  get size(): number {
    return this.#numbers.size;
  }

  /** Upper bound of the numbers, exclusive. */
  get limit(): number {
    return this.#values.length;
  }

  /** Adds one reference, and returns the number of the object. */
  add(value: V): number {
    const number = this.#numberOf(value);
    this.#counts[number]!++;
    return number;
  }

  /** Returns the number of an object; `undefined` when nothing refers to it. */
  find(value: V): number | undefined {
    return this.#numbers.get(value);
  }

  /** Returns the number of references to an object. */
  count(number: number): number {
    return this.#counts[number]!;
  }

  at(number: number): V {
    return this.#values[number]!;
  }

  remove(number: number): void {
    if (--this.#counts[number]! > 0) return;
    this.#numbers.delete(this.#values[number]!);
    this.#values[number] = undefined;
    this.#free.push(number);
    this.#last = undefined;
  }

  /** Returns a copy with its own reference counts, for another holder. The numbers are the same. */
  pickAll(): Refs<V> {
    return this.pick(Uint32Array.from(this.#counts));
  }

  /**
   * Returns a copy with the given reference counts, for another holder. The numbers are the same.
   */
  pick(counts: Uint32Array): Refs<V> {
    const values = this.#values.map((value, number) => counts[number]! > 0 ? value : undefined);
    return {
      at: (number) => values[number]!,
      remove: (number) => {
        if (--counts[number]! === 0) values[number] = undefined;
      },
    };
  }

  /** Consecutive rows mostly refer to the same object, so the last one is tried first. */
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
