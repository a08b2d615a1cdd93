import { MemberCursor, parseAt } from "@xca/apimachinery/internal/base";

const encoder = new TextEncoder();
const METADATA = encoder.encode("metadata");
const LABELS = encoder.encode("labels");
const NONE: Readonly<Record<string, string>> = Object.freeze({});
const cursor = new MemberCursor();

/**
 * Returns the labels of a stored object, given the bytes of its JSON, without parsing the rest;
 * empty if the object has none.
 */
export function storedLabels(bytes: Uint8Array): Readonly<Record<string, string>> {
  const metadata = memberAt(bytes, 0, bytes.length, METADATA, "metadata");
  if (metadata < 0) return NONE;
  const labels = memberAt(bytes, metadata, bytes.length, LABELS, "labels");
  if (labels < 0) return NONE;
  cursor.enter(bytes, labels, bytes.length);
  while (cursor.nextKey() && cursor.skipValue());
  return parseAt(bytes, labels, cursor.at) as Record<string, string>;
}

/**
 * Returns the offset of a member's value in the JSON object at `at`; -1 if the object has no such
 * member or is malformed.
 */
function memberAt(
  bytes: Uint8Array,
  at: number,
  end: number,
  name: Uint8Array,
  text: string,
): number {
  cursor.enter(bytes, at, end);
  while (cursor.nextKey()) {
    if (cursor.keyIs(name, text)) return cursor.valueStart;
    if (!cursor.skipValue()) return -1;
  }
  return -1;
}
