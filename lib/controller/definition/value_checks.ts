import { described } from "@xca/apimachinery/internal/base";

/**
 * Throws unless a user's value is a function; `subject` begins the message.
 *
 * @throws {TypeError} When the value is not a function.
 */
export function checkFunction(value: unknown, subject: string): void {
  if (typeof value === "function") return;
  throw new TypeError(`${subject} must be a function, is ${described(value)}`);
}
