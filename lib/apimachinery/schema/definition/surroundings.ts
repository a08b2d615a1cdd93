import { isMap } from "../../values/json_values.ts";

/**
 * Puts a value where it stands in an object that is otherwise empty, and finds it again: some rules
 * (of metadata above all) hold for a default only by where it stands.
 */
export class Surroundings {
  /** The value is the object itself. */
  static readonly root: Surroundings = new Surroundings([]);

  /** Field names, and `0` for an item of a list. */
  readonly #steps: readonly (string | 0)[];

  private constructor(steps: readonly (string | 0)[]) {
    this.#steps = steps;
  }

  /** The place of a field. */
  child(name: string): Surroundings {
    return new Surroundings([...this.#steps, name]);
  }

  /** The place of an item. */
  item(): Surroundings {
    return new Surroundings([...this.#steps, 0]);
  }

  /** The object around a value. */
  around(value: unknown): Record<string, unknown> {
    let object = value;
    for (const step of this.#steps.toReversed()) {
      object = step === 0 ? [object] : { [step]: object };
    }
    return isMap(object) ? object : {};
  }

  /** The value again; `undefined` when it is gone. */
  find(object: Record<string, unknown>): unknown {
    let value: unknown = object;
    for (const step of this.#steps) {
      if (step === 0) value = Array.isArray(value) ? value[0] : undefined;
      else value = isMap(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    }
    return value;
  }
}
