// Mirrors `endpoints/handlers/response.go, watchEncoder`.
import type { ApiObject, JsonObject } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../../machinery/resource.ts";
import type { StoredObject } from "../../storage/arena.ts";

const encoder = new TextEncoder();

/**
 * The format of the objects that a watch sends. Watchers with equal formats share encoded frames.
 */
export interface WatchForm {
  /**
   * The identifier of the watch event format: watches with equal identifiers can share encoded
   * events. In a Table format each event has an identifier of its own, since rows contain ages.
   */
  readonly id: string;
  readonly resource: ApiResource;
  /**
   * Converts an object to the form that the watch sends; returns a promise if this takes long.
   * `undefined` if objects are sent unchanged.
   */
  readonly transform: ((object: ApiObject) => JsonObject | Promise<JsonObject>) | undefined;
  readonly write: WriteFrame;
}

/** A function that encodes a watch event as a line of JSON or a protobuf frame. */
export type WriteFrame = (type: string, object: object) => Uint8Array;

/**
 * A frame of a watch: an encoded event, or a promise of one if a conversion webhook must be called
 * first, or if making the event takes long. The promise rejects if the conversion fails.
 */
export type Frame = Uint8Array | Promise<Uint8Array>;

/** A frame of a watch; `undefined` in place of an event that the watch does not select. */
export type SelectedFrame = Frame | undefined | Promise<Uint8Array | undefined>;

/**
 * Converts an object to the form that a watch sends, such as a Table, and encodes a watch event of
 * it as a line of JSON or a protobuf frame. Returns a promise if the conversion is asynchronous.
 */
export function formedFrame(
  { transform, write }: WatchForm,
  type: string,
  object: ApiObject,
): Frame {
  const shown = transform ? transform(object) : object;
  if (!(shown instanceof Promise)) return write(type, shown);
  const frame = shown.then((made) => write(type, made));
  // The sender of the frame awaits it later; until then its failure must not count as unhandled.
  frame.catch(() => {});
  return frame;
}

/** Encodes a watch event as one line of JSON in UTF-8, with the line break. */
export function frameOf(type: string, object: object): Uint8Array {
  return encoder.encode(`{"type":"${type}","object":${JSON.stringify(object)}}\n`);
}

const HEADS: Readonly<Record<string, Uint8Array>> = Object.fromEntries(
  ["ADDED", "MODIFIED", "DELETED"].map((type) =>
    [type, encoder.encode(`{"type":"${type}","object":`)] as const
  ),
);

/**
 * Encodes a watch event of a stored object as one line of JSON with the line break, without parsing
 * the object.
 */
export function storedFrame(type: string, object: StoredObject): Uint8Array {
  const head = HEADS[type]!;
  const bytes = new Uint8Array(head.length + object.length + 2);
  bytes.set(head);
  bytes.set(object.bytes(), head.length);
  bytes[bytes.length - 2] = 0x7d;
  bytes[bytes.length - 1] = 0x0a;
  return bytes;
}
