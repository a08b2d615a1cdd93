/**
 * The read and release side of a {@linkcode CountedRefs}: reference-counted objects by the numbers
 * under which table rows refer to them.
 */
export interface Refs<V extends object> {
  /**
   * Returns the object that a reference number stands for. The number must have at least one
   * reference.
   */
  at(number: number): V;
  /**
   * Removes one reference to the object of a number. The object is dropped with its last reference.
   */
  remove(number: number): void;
}

/**
 * A table of objects, compared by identity, that many rows refer to by number, with reference
 * counts. An object keeps its number as long as a row refers to the object; the number of a dropped
 * object is assigned again.
 */
export class CountedRefs<V extends object> implements Refs<V> {
  readonly #values: (V | undefined)[] = [];
  readonly #counts: number[] = [];
  readonly #numbers = new Map<V, number>();
  /** Reference numbers that are not in use and will be assigned again. */
  readonly #free: number[] = [];
  #last: V | undefined;
  #lastNumber = -1;

  /** Number of objects in the table of references. */
  get size(): number {
    return this.#numbers.size;
  }

  /** The upper bound of the table's reference numbers, exclusive. */
  get limit(): number {
    return this.#values.length;
  }

  /** Adds one reference to an object, and returns the object's number. */
  add(value: V): number {
    const number = this.#numberOf(value);
    this.#counts[number]!++;
    return number;
  }

  /** Returns the reference number of an object; `undefined` when nothing refers to it. */
  find(value: V): number | undefined {
    return this.#numbers.get(value);
  }

  /**
   * Returns the number of references to the object that a reference number stands for; 0 for a
   * number that is not in use.
   */
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

  /**
   * Returns an independent copy of the reference table, with the same numbers and counts, for
   * another holder of references.
   */
  pickAll(): Refs<V> {
    return this.pick(Uint32Array.from(this.#counts));
  }

  /**
   * Returns a copy of the reference table with the given counts, by reference number, for another
   * holder of references. Objects with count 0 are left out. The copy takes over `counts` and
   * changes it.
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

  /**
   * Returns the number of an object; assigns one, without a reference, if the object has none.
   * Consecutive rows mostly refer to the same object, so the object of the last call is compared
   * first.
   */
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
