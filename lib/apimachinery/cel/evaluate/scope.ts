// Mirrors `interpreter/activation.go, Activation`.
import type { CelValue } from "../values/value.ts";

/**
 * A function that returns the value of a variable of a CEL expression; `undefined` for an unknown
 * name.
 */
export type Variables = (name: string) => CelValue | undefined;

/**
 * A scope of a CEL evaluation: the variables that a loop sets, which hide variables of the same
 * name in the scopes around it.
 */
export class Scope {
  readonly #variables: Variables;
  readonly #parent: Scope | undefined;
  readonly #own: Map<string, CelValue>;

  constructor(variables: Variables, parent?: Scope, own: Map<string, CelValue> = new Map()) {
    this.#variables = variables;
    this.#parent = parent;
    this.#own = own;
  }

  /**
   * Returns the value that this CEL scope has for a variable, otherwise that of the nearest scope
   * around it, and otherwise that of the expression's variable; `undefined` for an unknown name.
   */
  find(name: string): CelValue | undefined {
    const own = this.#own.get(name);
    if (own !== undefined) return own;
    return this.#parent ? this.#parent.find(name) : this.#variables(name);
  }

  /** Returns a new, empty CEL scope within this scope. */
  within(): Scope {
    return new Scope(this.#variables, this);
  }

  set(name: string, value: CelValue): void {
    this.#own.set(name, value);
  }
}
