/**
 * Marks an object as an instance of a class of this library, for {@linkcode isMarked}. `kind` is a
 * registered symbol (`Symbol.for`), shared by all copies of this library in a process.
 */
export function mark(object: object, kind: symbol): void {
  Object.defineProperty(object, kind, { value: true });
}

/**
 * Reports whether `value` is an instance of the class `asked`, as the implementation of
 * `[Symbol.hasInstance]` of `marked`, and recognizes instances that another copy of this library
 * created: the program that runs an operator may load another copy than the module that defines it.
 * For classes derived from `marked`, the ordinary rule of `instanceof` applies. Never throws;
 * returns false for a Proxy whose traps throw.
 *
 * @param asked The right operand of `instanceof`: `this` in `[Symbol.hasInstance]`.
 * @param marked The marked class.
 */
export function isMarked(
  value: unknown,
  kind: symbol,
  asked: { readonly prototype: object },
  marked: { readonly prototype: object },
): boolean {
  try {
    if (asked !== marked) return Function.prototype[Symbol.hasInstance].call(asked, value);
    return typeof value === "object" && value !== null &&
      (value as Record<symbol, unknown>)[kind] === true;
  } catch {
    return false;
  }
}

/**
 * Makes `instanceof` recognize the instances of a class that another copy of this library created;
 * see {@linkcode isMarked}. Call it in a static block of the class.
 */
export function markClass(type: { readonly prototype: object }, kind: symbol): void {
  mark(type.prototype, kind);
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: { readonly prototype: object }, value: unknown): boolean {
      return isMarked(value, kind, this, type);
    },
  });
}
