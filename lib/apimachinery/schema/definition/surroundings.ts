// Mirrors `schema/defaulting/surroundingobject.go, SurroundingObjectFunc`.
import { isMap } from "../../values/json_values.ts";

/**
 * The position of a value in an object, with methods that create an object which is empty except
 * for the value, and that find the value in that object again, since some rules for default values,
 * above all of metadata, depend on the position.
 */
export class Surroundings {
  /** The position of the object itself, from which all other positions are made. */
  static readonly root: Surroundings = new Surroundings([]);

  /** The steps from the object to the value: field names, and `0` for an item of a list. */
  readonly #steps: readonly (string | 0)[];

  private constructor(steps: readonly (string | 0)[]) {
    this.#steps = steps;
  }

  /** Returns the position of a field of the object at this position. */
  child(name: string): Surroundings {
    return new Surroundings([...this.#steps, name]);
  }

  /** Returns the position of the first item of the list at this position. */
  item(): Surroundings {
    return new Surroundings([...this.#steps, 0]);
  }

  /**
   * Returns an object that is empty except for a value at this position; for the root, the value
   * itself, or an empty object if the value is not an object.
   */
  around(value: unknown): Record<string, unknown> {
    let object = value;
    for (const step of this.#steps.toReversed()) {
      object = step === 0 ? [object] : { [step]: object };
    }
    return isMap(object) ? object : {};
  }

  /**
   * Returns the value at this position of an object; `undefined` when the object has no such value.
   */
  find(object: Record<string, unknown>): unknown {
    let value: unknown = object;
    for (const step of this.#steps) {
      if (step === 0) value = Array.isArray(value) ? value[0] : undefined;
      else value = isMap(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    }
    return value;
  }
}
