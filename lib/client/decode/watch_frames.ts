import { MemberCursor, skipSpace, spells, stage, stringAt } from "@xca/apimachinery/internal/base";
import { formatKey, type ObjectKey } from "@xca/apimachinery/meta";
import type { RawWatchEvent, ScannedObject } from "./raw_event.ts";
import { DecodeError } from "../errors/decode_error.ts";
import { encodingOf, type ObjectLayout, scanObject } from "./object_layout.ts";

type WatchType = Exclude<RawWatchEvent["type"], "UNDECODABLE">;

const encoder = new TextEncoder();
const TYPES: readonly WatchType[] = ["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"];
const TYPE_TOKENS = TYPES.map((type) => encoder.encode(`"${type}"`));
const TYPE_KEY = encoder.encode("type");
const OBJECT_KEY = encoder.encode("object");
const frameCursor = new MemberCursor();

/**
 * Returns the event in one line of a watch, with its type and object:
 * `{"type":"ADDED","object":{...}}`, keys in any order. Never throws: a line that cannot be decoded
 * results in an event of type `UNDECODABLE`.
 *
 * The object is a view of the line. Invalid UTF-8 anywhere in the line is found; its JSON is
 * checked only as far as the end of the object requires.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { decodeWatchFrame } from "./watch_frames.ts";
 *
 * const line = new TextEncoder().encode('{"type":"ADDED","object":{"metadata":{"name":"web"}}}');
 * assert(decodeWatchFrame(line).type === "ADDED");
 * ```
 */
export function decodeWatchFrame(line: Uint8Array): RawWatchEvent {
  const end = line.length;
  const isStaged = stage(line);
  const encoding = encodingOf(line, isStaged);
  let typeStart = 0;
  let typeEnd = 0;
  let object: ScannedObject | undefined;
  let layout: ObjectLayout | undefined;
  const cursor = frameCursor;
  cursor.enter(line, skipSpace(line, 0, end), end);
  while (cursor.nextKey()) {
    if (cursor.keyIs(OBJECT_KEY, "object")) {
      const start = cursor.at;
      layout = scanObject(line, start, end, { origin: start, isStaged });
      if (layout.end >= 0) cursor.at = start + layout.end;
      else {
        layout = undefined;
        if (!cursor.skipValue()) break;
      }
      object = line.subarray(start, cursor.at);
      continue;
    }
    const isType = cursor.keyIs(TYPE_KEY, "type");
    if (isType) typeStart = cursor.at;
    if (!cursor.skipValue()) break;
    if (isType) typeEnd = cursor.at;
  }
  if (encoding === "invalid") return undecodable("it is not UTF-8", object, layout);
  if (cursor.at < 0 || skipSpace(line, cursor.at, end) !== end) {
    return undecodable(isMarkup(line) ? MARKUP : "it is cut short or not JSON", object, layout);
  }
  if (object === undefined) return undecodable("it has no object");
  const type = typeAt(line, typeStart, typeEnd);
  if (type === undefined) {
    const text = typeEnd > 0 ? excerpt(line.subarray(typeStart, typeEnd)) : "missing";
    return undecodable(`its type is ${text}`, object, layout);
  }
  if (layout === undefined) return undecodable("its object is not a JSON object", object);
  layout.encoding = encoding;
  object.layout = layout;
  return { type, object };
}

/**
 * The description, for an error message, of a line of a watch that begins like HTML or XML, and so
 * is not JSON.
 */
const MARKUP = "it is a line of a page (does a proxy or a login answer for the API server?)";

function isMarkup(line: Uint8Array): boolean {
  return line[skipSpace(line, 0, line.length)] === "<".charCodeAt(0);
}

function typeAt(line: Uint8Array, start: number, end: number): WatchType | undefined {
  if (end === 0) return undefined;
  for (let i = 0; i < TYPES.length; i++) {
    if (spells(line, start, end, TYPE_TOKENS[i]!)) return TYPES[i];
  }
  const text = stringAt(line, start, end);
  return TYPES.find((type) => type === text);
}

function undecodable(reason: string, object?: Uint8Array, layout?: ObjectLayout): RawWatchEvent {
  const key = object && layout ? keyAt(object, layout) : undefined;
  const what = key === undefined ? "watch event" : `watch event of ${key}`;
  return {
    type: "UNDECODABLE",
    error: new DecodeError(`Cannot decode ${what}: ${reason}; this event is lost`, { key }),
  };
}

/**
 * Returns the key of an object that cannot be decoded; `undefined` when its name cannot be read.
 */
function keyAt(object: Uint8Array, layout: ObjectLayout): ObjectKey | undefined {
  if (layout.name === 0) return undefined;
  const name = stringAt(object, layout.name, layout.nameEnd);
  if (!name) return undefined;
  const namespace = layout.namespace > 0
    ? stringAt(object, layout.namespace, layout.namespaceEnd)
    : undefined;
  return formatKey({ namespace, name });
}

function excerpt(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, 60));
}
