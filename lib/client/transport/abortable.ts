import type { CallSignal } from "./http1/call_abort.ts";

/**
 * Returns a promise that settles like the given one, or rejects with the signal's reason when the
 * signal aborts or is aborted already. A value that arrives later is passed to `discardLate`, a
 * later error is ignored.
 */
export function abortable<T>(
  promise: Promise<T>,
  signal: CallSignal,
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
