/**
 * Checks that a user's value is a function.
 *
 * @throws {TypeError} When the value is not a function.
 */
export function checkFunction(value: unknown, subject: string): void {
  if (typeof value === "function") return;
  throw new TypeError(`${subject} must be a function, is ${described(value)}`);
}

/**
 * Describes a user's value in an error message by its type alone: it may be large, or throw when it
 * is printed.
 */
export function described(value: unknown): string {
  if (value === null || value === undefined) return `${value}`;
  return Array.isArray(value) ? "an array" : `of type ${typeof value}`;
}
