/**
 * Where in an object a value stands, as the server writes it in its messages:
 * `spec.containers[0].name`, `metadata.labels[app]`. Immutable; each step gives a new path.
 */
export class FieldPath {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** The path of a field of the object itself. Further names are children of it. */
  static of(name: string, ...more: string[]): FieldPath {
    return new FieldPath(name).child(...more);
  }

  /** The object itself: `<nil>` alone, and no prefix of what stands below. */
  static readonly root: FieldPath = new FieldPath("");

  /** The path of a field below this one. */
  child(...names: string[]): FieldPath {
    let text = this.#text;
    for (const name of names) text = text === "" ? name : `${text}.${name}`;
    return new FieldPath(text);
  }

  /** The path of an element of the list here. */
  index(index: number): FieldPath {
    return this.key(String(index));
  }

  /** The path of an entry of the map here. */
  key(key: string): FieldPath {
    return new FieldPath(`${this.#text}[${key}]`);
  }

  /** The path as messages write it. */
  toString(): string {
    return this.#text === "" ? "<nil>" : this.#text;
  }
}
