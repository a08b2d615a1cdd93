/** Objects by the numbers that rows refer to them by. */
export interface Refs<V extends object> {
  /** The object of a number that something refers to. */
  at(number: number): V;
  /** Counts one reference less. Who is the last to refer to an object lets go of it. */
  remove(number: number): void;
}

/**
 * Objects that many rows of numbers refer to, each by a number of its own for as long as any row does.
 */
export class CountedRefs<V extends object> implements Refs<V> {
  readonly #values: (V | undefined)[] = [];
  readonly #counts: number[] = [];
  readonly #numbers = new Map<V, number>();
  /** Numbers that stand for nothing, to be given again. */
  readonly #free: number[] = [];
  #last: V | undefined;
  #lastNumber = -1;

  /** How many objects there are. */
  get size(): number {
    return this.#numbers.size;
  }

  /** All numbers are below. */
  get limit(): number {
    return this.#values.length;
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

  /** How many references there are to the object of a number. */
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

  /** As many references to each object as there are here, for somebody else. The numbers are these. */
  pickAll(): Refs<V> {
    return this.pick(Uint32Array.from(this.#counts));
  }

  /** The same with so many references to the object of each number. */
  pick(counts: Uint32Array): Refs<V> {
    const values = this.#values.map((value, number) => counts[number]! > 0 ? value : undefined);
    return {
      at: (number) => values[number]!,
      remove: (number) => {
        if (--counts[number]! === 0) values[number] = undefined;
      },
    };
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
