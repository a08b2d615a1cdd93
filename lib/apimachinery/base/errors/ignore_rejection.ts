import { isInstance } from "./error_chain.ts";

/**
 * Returns its argument, the result of user code that should not be a promise. If it is one, such as
 * that of an `async` function, its rejection is marked as handled, since an unhandled rejection
 * would end the process. Never throws.
 */
export function ignoreRejection<T>(result: T): T {
  if (isInstance(result, Promise)) result.catch(() => {});
  return result;
}
