import type { RequeueAfter } from "./reconciler.ts";

/** How a run ended that did not fail. */
export type Completion =
  | { readonly type: "done" }
  | { readonly type: "requeueAfter"; readonly ms: number };

const ALLOWED = "return nothing, or { requeueAfterMs: <milliseconds> }";
const LONGEST_SHOWN = 40;
const MOST_KEYS_SHOWN = 5;

/**
 * What a reconciler means by what it returned. An operator's module may be run without a type check,
 * and a misspelt `requeueAfterMs` that counted as done would be a run that never comes.
 *
 * @throws {TypeError} When it is neither nothing nor a {@linkcode RequeueAfter}.
 * @throws {RangeError} When its `requeueAfterMs` is no time to wait.
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

/** Whatever else it holds; but nothing that only happens to have no keys. */
function isRequest(result: unknown): result is Partial<Record<keyof RequeueAfter, unknown>> {
  if (typeof result !== "object" || result === null || Array.isArray(result)) return false;
  if ("requeueAfterMs" in result) return true;
  const prototype = Object.getPrototypeOf(result);
  return Object.keys(result).length === 0 && (prototype === Object.prototype || prototype === null);
}

/** A value for a message: no text, and of an object only the keys, since it may be a Secret. */
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

/** It was made here, after the reconciler had ended: its stack would show nothing of the user's. */
function withoutStack<E extends Error>(error: E): E {
  delete error.stack;
  return error;
}
