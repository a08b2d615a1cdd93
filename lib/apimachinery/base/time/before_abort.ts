/** The members of an `AbortSignal` that {@linkcode beforeAbort} uses. */
export interface AbortSource {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void, options?: { once: true }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/**
 * Returns a promise that settles like the given promise, or rejects with the signal's reason if the
 * signal is aborted first. A value that arrives after the abort is passed to `discardLate`, a later
 * error is ignored.
 */
export function beforeAbort<T>(
  promise: Promise<T>,
  signal: AbortSource,
  discardLate: (value: T, reason: unknown) => void = () => {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    const stop = (): void => signal.removeEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    promise.then((value) => {
      stop();
      if (signal.aborted) discardLate(value, signal.reason);
      resolve(value);
    }, (error) => {
      stop();
      reject(error);
    });
  });
}
