// Mirrors `util/validation/field/path.go, Path`.

/**
 * The path of a value in an object, as error messages write it: `spec.containers[0].name`,
 * `metadata.labels[app]`. Immutable; each step returns a new path.
 */
export class FieldPath {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** Returns the path of a field of the object, or of a field below it. */
  static of(name: string, ...more: string[]): FieldPath {
    return new FieldPath(name).child(...more);
  }

  /** The path of the object itself: `<nil>` alone, and no prefix of paths below it. */
  static readonly root: FieldPath = new FieldPath("");

  /** Returns the path of a field below this one. */
  child(...names: string[]): FieldPath {
    let text = this.#text;
    for (const name of names) text = text === "" ? name : `${text}.${name}`;
    return new FieldPath(text);
  }

  /** Returns the path of an element of this list. */
  index(index: number): FieldPath {
    return this.key(String(index));
  }

  /** Returns the path of an entry of this map. */
  key(key: string): FieldPath {
    return new FieldPath(`${this.#text}[${key}]`);
  }

  /** Formats the path. */
  toString(): string {
    return this.#text === "" ? "<nil>" : this.#text;
  }
}
