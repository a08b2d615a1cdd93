import { setField, sortTexts } from "@xca/apimachinery/internal/values";
import { countMembers, membersOf } from "../quick_scan.ts";

const SLASH = 0x2f;
const BACKSLASH = 0x5c;

/**
 * The maximum length of a key that JSON and YAML read alike, in characters; a longer one is not a
 * simple key in YAML.
 */
const MAX_KEY = 1000;

/**
 * Parses a YAML text that is one JSON object in one line, as programs write it, several times as
 * fast as YAML. Returns `undefined` for everything else, and for all that JSON and YAML might read
 * differently.
 */
export function readOneLineJson(bytes: Uint8Array): { readonly tree: unknown } | undefined {
  let end = bytes.length;
  if (bytes[end - 1] === 0x0a) end--;
  if (bytes[0] !== 0x7b || bytes[end - 1] !== 0x7d) return undefined;
  for (let at = 0; at < end; at++) {
    const byte = bytes[at]!;
    if (byte < 0x20 || byte > 0x7e) return undefined;
    // The escape of a slash does not exist in YAML 1.1.
    if (byte === SLASH && bytes[at - 1] === BACKSLASH) return undefined;
  }
  try {
    const tree = JSON.parse(new TextDecoder().decode(bytes));
    if (countMembers(bytes) !== membersOf(tree)) return undefined;
    return { tree: inOrder(tree) };
  } catch {
    return undefined;
  }
}

/**
 * Returns a copy of a JSON value with sorted keys, and with 0 for -0.
 *
 * @throws {RangeError} For a key that YAML reads differently.
 */
function inOrder(value: unknown): unknown {
  if (Object.is(value, -0)) return 0;
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const ordered: Record<string, unknown> = {};
  for (const key of sortTexts(Object.keys(value))) {
    if (key.length > MAX_KEY || key === "<<") throw new RangeError(key);
    setField(ordered, key, inOrder((value as Record<string, unknown>)[key]));
  }
  return ordered;
}
