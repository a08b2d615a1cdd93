import { OnDemand } from "../base/on_demand.ts";
import { notImplemented } from "../errors/status_error.ts";

/** The engine, half as large as all the rest: to be loaded by who lets definitions with expressions in. */
export const REGEXP_ENGINE: OnDemand<typeof import("re2js")> = new OnDemand(() => import("re2js"));

/** The expression is none. The message is what the real server says of it. */
export class RegExpSyntaxError extends Error {
  override readonly name = "RegExpSyntaxError";
}

/** An expression that was read. */
export interface GoRegExp {
  /**
   * Whether it finds something anywhere in the text.
   *
   * @throws {StatusError} 501 when the text is too long for an expression of its size.
   */
  test(text: string): boolean;
}

/** Each holds up to 8 MB of what it learnt of its automaton, and mostly some kilobytes. */
const CACHE_SIZE = 200;
/**
 * The most steps, of the program's size times the text's length, that a search may come to. Few come to
 * that many, since the states that were met are remembered; those that do hold the server for seconds.
 */
const MAX_STEPS = 256_000_000;
const cache = new Map<string, GoRegExp>();

/**
 * A regular expression as the real server reads it (RE2): schemas and expressions of users contain
 * them, and what is refused there must be refused here. It takes linear time, whatever it is.
 *
 * @throws {RegExpSyntaxError} When RE2 refuses it.
 */
export function goRegExp(pattern: string): GoRegExp {
  const known = cache.get(pattern);
  if (known) return known;
  const made = compile(pattern);
  if (cache.size >= CACHE_SIZE) cache.clear();
  cache.set(pattern, made);
  return made;
}

function compile(pattern: string): GoRegExp {
  const { RE2JS } = REGEXP_ENGINE.code;
  try {
    const compiled = RE2JS.compile(pattern);
    const size = compiled.programSize();
    const test = (text: string): boolean => {
      if (size * text.length > MAX_STEPS) {
        throw notImplemented(`texts of ${text.length} characters for a pattern of ${size} steps`);
      }
      return compiled.test(text);
    };
    return { test };
  } catch (error) {
    const { message } = error as Error;
    // The real server shows the part that it complains of, also where that is empty.
    const isWhole = message.split(": ").length < 3;
    throw new RegExpSyntaxError(isWhole ? `${message}: \`\`` : message);
  }
}
