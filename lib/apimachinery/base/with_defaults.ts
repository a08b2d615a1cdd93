/**
 * Returns options with defaults in place of those that are absent or `undefined`. An option is
 * `undefined` when a caller passes on one of its own: `{ workers: flags.workers }`.
 */
export function withDefaults<T extends object>(
  defaults: T,
  options: { readonly [Name in keyof T]?: T[Name] | undefined } = {},
): T {
  return { ...defaults, ...withoutUndefined(options) as Partial<T> };
}

/** Returns a copy of an object without the fields whose value is `undefined`. */
export function withoutUndefined<T extends object>(object: T): Partial<T> {
  const given = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<T>;
}
