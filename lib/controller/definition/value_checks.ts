import { described } from "@xca/apimachinery/internal/base";

/**
 * Checks that a user's value is a function.
 *
 * @throws {TypeError} When the value is not a function.
 */
export function checkFunction(value: unknown, subject: string): void {
  if (typeof value === "function") return;
  throw new TypeError(`${subject} must be a function, is ${described(value)}`);
}
