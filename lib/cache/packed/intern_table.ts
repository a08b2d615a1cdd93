/** How many entries a generation holds before the older one is dropped. */
const GENERATION_SIZE = 1024;
/** Longer texts are not worth keeping to compare with. */
const LONGEST_TEXT = 2048;

/**
 * Shares equal values: objects that come one after the other have their labels, owners and namespace
 * in common with their siblings, so that each is parsed and kept once.
 *
 * It holds two generations of recent texts and never grows past them; what it forgets is merely not
 * shared any more.
 */
export class InternTable<V> {
  readonly #make: (text: string) => V;
  #young: Map<string, V> = new Map();
  #old: Map<string, V> = new Map();

  /** Makes a table whose values are made from their text by `make`; it must depend on the text alone. */
  constructor(make: (text: string) => V) {
    this.#make = make;
  }

  /** The value of a text. */
  get(text: string): V {
    let value = this.#young.get(text);
    if (value !== undefined) return value;
    value = this.#old.get(text) ?? this.#make(text);
    if (text.length > LONGEST_TEXT) return value;
    if (this.#young.size >= GENERATION_SIZE) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(text, value);
    return value;
  }
}
