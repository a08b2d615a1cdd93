import { ignoreRejection } from "./ignore_rejection.ts";

/**
 * Calls a function whose failure must not affect the caller, such as a user's callback. Returns its
 * result; `undefined` when it throws. If the result is a promise, its rejection counts as handled,
 * so that it does not end the process.
 */
export function attempt<T>(call: () => T): T | undefined {
  try {
    return ignoreRejection(call());
  } catch {
    return undefined;
  }
}
