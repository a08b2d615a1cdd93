/**
 * Calls a function whose failure must not affect the caller, such as a user's callback; returns
 * `undefined` when it throws.
 */
export function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
