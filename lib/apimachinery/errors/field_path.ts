// Mirrors `util/validation/field/path.go, Path`.

/**
 * The path of a field in an object, as error messages write it: `spec.containers[0].name`,
 * `metadata.labels[app]`. Immutable; the methods return new paths.
 */
export class FieldPath {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** Returns the field path of a field of an object; more names lead to fields below it. */
  static of(name: string, ...more: string[]): FieldPath {
    return new FieldPath(name).child(...more);
  }

  /**
   * The field path of the object itself: its text is `<nil>`, which the paths of its fields do not
   * contain.
   */
  static readonly root: FieldPath = new FieldPath("");

  /**
   * Returns the field path of a field below this one; more names lead to fields below that field.
   */
  child(...names: string[]): FieldPath {
    let text = this.#text;
    for (const name of names) text = text === "" ? name : `${text}.${name}`;
    return new FieldPath(text);
  }

  /** Returns the field path of an element of the list at this path; the first has the index 0. */
  index(index: number): FieldPath {
    return this.key(String(index));
  }

  /** Returns the field path of an entry of the map at this path. */
  key(key: string): FieldPath {
    return new FieldPath(`${this.#text}[${key}]`);
  }

  /** Returns the field path as text; `<nil>` for {@linkcode FieldPath.root}. */
  toString(): string {
    return this.#text === "" ? "<nil>" : this.#text;
  }
}
