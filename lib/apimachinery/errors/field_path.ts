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

  /** Returns the path of a field of an object, or of a field below it. */
  static of(name: string, ...more: string[]): FieldPath {
    return new FieldPath(name).child(...more);
  }

  /** The field path of the object itself: `<nil>` alone, and no prefix of paths below it. */
  static readonly root: FieldPath = new FieldPath("");

  /** Returns the field path of a field below this one. */
  child(...names: string[]): FieldPath {
    let text = this.#text;
    for (const name of names) text = text === "" ? name : `${text}.${name}`;
    return new FieldPath(text);
  }

  /** Returns the field path of an element of the list at this path. */
  index(index: number): FieldPath {
    return this.key(String(index));
  }

  /** Returns the field path of an entry of the map at this path. */
  key(key: string): FieldPath {
    return new FieldPath(`${this.#text}[${key}]`);
  }

  /** Formats the field path as text. */
  toString(): string {
    return this.#text === "" ? "<nil>" : this.#text;
  }
}
