import { isInstance } from "./error_chain.ts";

/**
 * Returns the result of user code that should be no promise. When it is one, such as that of an
 * `async` function, its rejection does not count as unhandled, which would end the process. Never
 * throws.
 */
export function ignoreRejection<T>(result: T): T {
  if (isInstance(result, Promise)) result.catch(() => {});
  return result;
}
