import type { RequeueAfter } from "../definition/reconciler.ts";

/** The outcome of a reconcile run that did not fail: done, or another run requested. */
export type Completion =
  | { readonly type: "done" }
  | { readonly type: "requeueAfter"; readonly ms: number };

const ALLOWED = "return nothing, or { requeueAfterMs: <milliseconds> }";
const LONGEST_SHOWN = 40;
const MOST_KEYS_SHOWN = 5;

/**
 * Returns the outcome that the result of a reconciler means: `done` for nothing, `null`, an empty
 * object or an `undefined` `requeueAfterMs`, `requeueAfter` for a valid `requeueAfterMs`. A module
 * may be run without a type check; if a misspelt `requeueAfterMs` counted as done, the requested
 * run would never come.
 *
 * @throws {TypeError} When the result is another value, such as `false` or an object with other
 * properties only.
 * @throws {RangeError} When `requeueAfterMs` is not a finite number of at least 0.
 */
export function completionOf(result: unknown): Completion {
  if (result === undefined || result === null) return { type: "done" };
  if (!isRequest(result)) {
    throw withoutStack(
      new TypeError(`Cannot use what reconcile returned: ${shown(result)}; ${ALLOWED}`),
    );
  }
  const { requeueAfterMs: ms } = result;
  if (ms === undefined) return { type: "done" };
  if (typeof ms === "number" && ms >= 0 && ms < Infinity) return { type: "requeueAfter", ms };
  throw withoutStack(
    new RangeError(
      "Cannot requeue: requeueAfterMs must be a number of milliseconds of at least 0, is " +
        shown(ms),
    ),
  );
}

/**
 * Reports whether a reconciler's result is an object with `requeueAfterMs`, with any other
 * properties, or a plain object without keys.
 */
function isRequest(result: unknown): result is Partial<Record<keyof RequeueAfter, unknown>> {
  if (typeof result !== "object" || result === null || Array.isArray(result)) return false;
  if ("requeueAfterMs" in result) return true;
  const prototype = Object.getPrototypeOf(result);
  return Object.keys(result).length === 0 && (prototype === Object.prototype || prototype === null);
}

/**
 * Returns the description of a value that a reconciler returned, for an error message, without its
 * texts, since the value may be a Secret: a string, function or array by its type, an object by its
 * first keys or its class, and any other value, such as a number, in full up to 40 characters.
 */
function shown(value: unknown): string {
  if (typeof value === "string") return "a string";
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return cut(String(value));
  if (Array.isArray(value)) return "an array";
  const keys = Object.keys(value);
  if (keys.length === 0) return `a ${value.constructor?.name || "class's"} object`;
  const more = keys.length > MOST_KEYS_SHOWN ? ", ..." : "";
  return `{ ${keys.slice(0, MOST_KEYS_SHOWN).map(shownKey).join(", ")}${more} }`;
}

function shownKey(key: string): string {
  return /^[\w$.-]+$/.test(key) ? cut(key) : JSON.stringify(cut(key));
}

function cut(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}...` : text;
}

/**
 * Removes the stack of an error that this module created, and returns the error: the reconciler has
 * ended, so the stack would not contain the user's code.
 */
function withoutStack<E extends Error>(error: E): E {
  delete error.stack;
  return error;
}
