/**
 * The largest nesting depth of a value that the quick check for JSON accepts; the exact check
 * decides on deeper values.
 */
const QUICK_DEPTH = 100;

/**
 * The smallest positive integer that `JSON.stringify` writes with an exponent. Servers do not read
 * a number with an exponent as an integer, so the check for lost digits accepts it.
 */
const EXPONENT_FROM = 1e21;

/**
 * Returns a value as the JSON text of a request body, after a check that nothing is lost. An object
 * with `toJSON`, such as a Date, becomes the result of `toJSON`.
 *
 * Without the check, `JSON.stringify` writes `NaN` and functions in a list as `null`, which removes
 * a field in a merge patch, omits other functions, and writes a `Map` as an empty object. Integers
 * beyond 2^53 may have lost digits when they were read, or lose them in the text.
 *
 * @throws {TypeError} When a part of the value has no form in JSON, or is an integer beyond 2^53.
 * The message begins with `failure` and names the path of the part.
 */
export function bodyText(failure: string, value: unknown): string {
  if (!isSurelyJson(value, 0)) visit(value, { failure, path: "", above: [], isSent: true });
  return JSON.stringify(value);
}

/**
 * Throws a TypeError unless JSON can represent a user's value unchanged. A field with the value
 * `undefined` counts as absent, integers beyond 2^53 are accepted, and a Date is refused. `path` is
 * the path of the value in error messages.
 *
 * @throws {TypeError} When a part of the value has no form in JSON. The message begins with
 * `failure` and names the path of the part.
 */
export function checkJson(failure: string, value: unknown, path: string): void {
  visit(value, { failure, path, above: [], isSent: false });
}

/**
 * Reports whether a value certainly consists of plain objects, lists and scalars that JSON
 * represents without a loss; `false` leaves the decision to the exact check. Allocates no objects.
 */
function isSurelyJson(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value) && hasAllDigits(value);
    case "object":
      return value === null || depth < QUICK_DEPTH && areSurelyJson(value, depth + 1);
    default:
      return false;
  }
}

function areSurelyJson(value: object, depth: number): boolean {
  if (Array.isArray(value)) {
    // A loop visits holes too, which every() does not.
    for (let at = 0; at < value.length; at++) if (!isSurelyJson(value[at], depth)) return false;
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const name in value) {
    const each = (value as Record<string, unknown>)[name];
    if (each !== undefined && !isSurelyJson(each, depth)) return false;
  }
  return true;
}

function hasAllDigits(value: number): boolean {
  return !Number.isInteger(value) || Number.isSafeInteger(value) ||
    Math.abs(value) >= EXPONENT_FROM;
}

/** The position of a checked value in the whole value, and the rules of the check. */
interface Place {
  readonly failure: string;
  readonly path: string;
  readonly above: readonly object[];
  /**
   * Reports whether the value is sent in a request body: objects with `toJSON` are then accepted,
   * and integers beyond 2^53 refused.
   */
  readonly isSent: boolean;
}

function visit(value: unknown, place: Place): void {
  const { failure, path, isSent, above } = place;
  const problem = problemOf(value, place);
  if (problem !== undefined) {
    throw new TypeError(`${failure}: ${path || "the value"} is ${problem}`);
  }
  if (typeof value !== "object" || value === null) return;
  if (isSent && hasToJson(value)) return;
  const inside = { ...place, above: [...above, value] };
  if (Array.isArray(value)) {
    // A loop visits holes too, which forEach does not.
    for (let at = 0; at < value.length; at++) {
      visit(value[at], { ...inside, path: `${path}[${at}]` });
    }
    return;
  }
  for (const [name, each] of Object.entries(value)) {
    if (each === undefined) continue;
    visit(each, { ...inside, path: path === "" ? name : `${path}.${name}` });
  }
}

const NO_FORM = ", which has no form in JSON";

/**
 * Returns the reason why a value fails the check, for an error message; `undefined` when it passes.
 * The elements and fields of the value are not checked.
 */
function problemOf(value: unknown, { above, isSent }: Place): string | undefined {
  switch (typeof value) {
    case "number":
      if (!Number.isFinite(value)) return value + NO_FORM;
      return !isSent || hasAllDigits(value)
        ? undefined
        : `${value}, an integer beyond 2^53, of which JavaScript may have lost digits; leave it out, ` +
          "by a patch of other fields, or send a text by client.request()";
    case "string":
    case "boolean":
      return undefined;
    case "object":
      if (value === null) return undefined;
      if (above.includes(value)) {
        return `${Array.isArray(value) ? "a list" : "an object"} that contains itself${NO_FORM}`;
      }
      return Array.isArray(value) || isSent && hasToJson(value) ? undefined : classOf(value);
    default:
      return (value === undefined ? "undefined" : `a ${typeof value}`) + NO_FORM;
  }
}

function hasToJson(value: object): boolean {
  return "toJSON" in value && typeof value.toJSON === "function";
}

/**
 * Returns the reason why JSON cannot represent an object of a built-in class, such as `a Date,
 * which has no form in JSON`; `undefined` for other objects.
 */
function classOf(value: object): string | undefined {
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  return tag === "Object" ? undefined : `a ${tag}${NO_FORM}`;
}
