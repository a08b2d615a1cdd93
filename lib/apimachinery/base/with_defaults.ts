/**
 * Returns options with defaults for those that are absent or `undefined`, as callers pass them that
 * copy options of their own: `{ workers: flags.workers }`.
 */
export function withDefaults<T extends object>(
  defaults: T,
  options: { readonly [Name in keyof T]?: T[Name] | undefined } = {},
): T {
  return { ...defaults, ...withoutUndefined(options) as Partial<T> };
}

/** Returns an object without the fields whose value is `undefined`. */
export function withoutUndefined<T extends object>(object: T): Partial<T> {
  const given = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<T>;
}
