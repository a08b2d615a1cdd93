/** Calls a function of somebody else whose failure must not end what goes on here; `undefined` when it throws. */
export function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
