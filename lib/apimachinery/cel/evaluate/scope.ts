// Mirrors `interpreter/activation.go, Activation`.
import type { CelValue } from "../values/value.ts";

/**
 * A function that returns the value of a variable of a CEL expression; `undefined` for an unknown
 * name.
 */
export type Variables = (name: string) => CelValue | undefined;

/** A scope of a CEL evaluation with loop variables, which hide the others. */
export class Scope {
  readonly #variables: Variables;
  readonly #parent: Scope | undefined;
  readonly #own: Map<string, CelValue>;

  constructor(variables: Variables, parent?: Scope, own: Map<string, CelValue> = new Map()) {
    this.#variables = variables;
    this.#parent = parent;
    this.#own = own;
  }

  /** Returns the value of a variable of the CEL scope. */
  find(name: string): CelValue | undefined {
    const own = this.#own.get(name);
    if (own !== undefined) return own;
    return this.#parent ? this.#parent.find(name) : this.#variables(name);
  }

  /** Returns a CEL scope within this one, with settable variables of its own. */
  within(): Scope {
    return new Scope(this.#variables, this);
  }

  set(name: string, value: CelValue): void {
    this.#own.set(name, value);
  }
}
