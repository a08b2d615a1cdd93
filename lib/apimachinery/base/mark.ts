/**
 * Marks an object as being of a kind, for {@linkcode isMarked}. The mark is a symbol of
 * `Symbol.for`, the same for every copy of this library in one process.
 */
export function mark(object: object, kind: symbol): void {
  Object.defineProperty(object, kind, { value: true });
}

/**
 * The body of a class's `[Symbol.hasInstance]` that knows the instances of other copies of this
 * library, too: the program that runs an operator may bring another copy than the module that defines
 * it. A class derived from the marked one keeps the ordinary rule. It never throws: a Proxy may, when
 * it is asked.
 *
 * @param asked The class that stands right of `instanceof`: `this` of `[Symbol.hasInstance]`.
 * @param marked The class whose constructor calls {@linkcode mark}.
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
