/**
 * Checks that a user's value has a form in JSON. `JSON.stringify` makes `NaN` and functions of a list
 * `null`, which removes a field in a merge patch, and leaves out other such values. A field with
 * the value `undefined` is absent.
 *
 * @throws {TypeError} When a part of the value has no form in JSON; the message names its path.
 */
export function checkJson(failure: string, value: unknown, path: string): void {
  visit(failure, value, path, []);
}

function visit(failure: string, value: unknown, path: string, above: readonly object[]): void {
  const problem = problemOf(value, above);
  if (problem !== undefined) {
    throw new TypeError(`${failure}: ${path} is ${problem}, which has no form in JSON`);
  }
  if (typeof value !== "object" || value === null) return;
  const inside = [...above, value];
  if (Array.isArray(value)) {
    // A loop visits holes too, which forEach does not.
    for (let at = 0; at < value.length; at++) visit(failure, value[at], `${path}[${at}]`, inside);
    return;
  }
  for (const [name, each] of Object.entries(value)) {
    if (each !== undefined) visit(failure, each, `${path}.${name}`, inside);
  }
}

/** Returns the description of a value without a form in JSON; `undefined` for other values. */
function problemOf(value: unknown, above: readonly object[]): string | undefined {
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? undefined : String(value);
    case "string":
    case "boolean":
      return undefined;
    case "object":
      if (value === null || Array.isArray(value)) {
        return value && above.includes(value) ? "a list that contains itself" : undefined;
      }
      if (above.includes(value)) return "an object that contains itself";
      return classOf(value);
    default:
      return typeof value === "undefined" ? "undefined" : `a ${typeof value}`;
  }
}

/** Returns the name of an object's built-in class, such as `a Date`; `undefined` for other objects. */
function classOf(value: object): string | undefined {
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  return tag === "Object" ? undefined : `a ${tag}`;
}
