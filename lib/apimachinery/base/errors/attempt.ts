import { ignoreRejection } from "./ignore_rejection.ts";

/**
 * Calls a function whose failure must not affect the caller, such as a user's callback. Returns its
 * result; `undefined` when it throws. The rejection of a returned promise is ignored.
 */
export function attempt<T>(call: () => T): T | undefined {
  try {
    return ignoreRejection(call());
  } catch {
    return undefined;
  }
}
