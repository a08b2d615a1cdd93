// Mirrors `schema/defaulting/surroundingobject.go, SurroundingObjectFunc`.
import { isMap } from "../../values/json_values.ts";

/**
 * The position of a value in an object: puts the value where it stands in an object that is
 * otherwise empty, and finds it again: some rules (of metadata above all) hold for a default only
 * by where it stands.
 */
export class Surroundings {
  /** The position of an object itself, as opposed to a value in it. */
  static readonly root: Surroundings = new Surroundings([]);

  /** The steps of a value's position in an object: field names, and `0` for an item of a list. */
  readonly #steps: readonly (string | 0)[];

  private constructor(steps: readonly (string | 0)[]) {
    this.#steps = steps;
  }

  /** Returns the position of a field below this position in an object. */
  child(name: string): Surroundings {
    return new Surroundings([...this.#steps, name]);
  }

  /** Returns the position of an item below this position in an object. */
  item(): Surroundings {
    return new Surroundings([...this.#steps, 0]);
  }

  /** Returns an object that is empty except for a value at this position. */
  around(value: unknown): Record<string, unknown> {
    let object = value;
    for (const step of this.#steps.toReversed()) {
      object = step === 0 ? [object] : { [step]: object };
    }
    return isMap(object) ? object : {};
  }

  /** Returns the value at this position of an object; `undefined` when it has none. */
  find(object: Record<string, unknown>): unknown {
    let value: unknown = object;
    for (const step of this.#steps) {
      if (step === 0) value = Array.isArray(value) ? value[0] : undefined;
      else value = isMap(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    }
    return value;
  }
}
