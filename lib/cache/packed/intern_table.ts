/**
 * Number of entries in a generation of the intern table; when the younger of the two generations is
 * full, the older is dropped.
 */
const GENERATION_SIZE = 1024;
/** Length of the longest text that the intern table keeps, in UTF-16 code units. */
const LONGEST_TEXT = 2048;

/**
 * A table that returns one shared value for equal texts. Objects that arrive one after the other
 * have labels, owners and namespace in common with their siblings; each value is then parsed and
 * kept once.
 *
 * The table holds two generations of recent texts and never more. The value of a text that was
 * dropped is computed anew, and is not the one that earlier callers have.
 */
export class InternTable<V> {
  readonly #make: (text: string) => V;
  #young: Map<string, V> = new Map();
  #old: Map<string, V> = new Map();

  /**
   * Creates an empty intern table, which keeps one shared value per text. `make` computes a value
   * and must depend on the text alone.
   */
  constructor(make: (text: string) => V) {
    this.#make = make;
  }

  /**
   * Returns the value that the intern table shares among equal texts, computed unless the table
   * still has it. The value of a text of more than 2048 characters is computed at each call.
   */
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
