import type { DecodeError } from "../errors/decode_error.ts";
import type { ObjectLayout } from "./object_layout.ts";

/**
 * The JSON text of one object, as UTF-8.
 *
 * The bytes are valid only during the callback that receives them, or until the next batch of the
 * watch is read; a caller that keeps the bytes must copy them.
 */
export type RawObject = Uint8Array;

/**
 * The JSON text of one object with the positions that a decoder found in it, so that the cache does
 * not scan the text again.
 */
export interface ScannedObject extends RawObject {
  /**
   * The positions of metadata fields in the object's text; absent when no decoder recorded them.
   */
  layout?: ObjectLayout;
}

/**
 * A watch event whose object is still JSON text, in memory that is valid for a short time; see
 * {@linkcode RawObject}.
 */
export interface RawObjectEvent {
  /** The type of the watch event; `ERROR` carries a `Status` instead of an object. */
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  /** The JSON text of the watch event's object. */
  readonly object: RawObject;
}

/** An event of a raw watch: one from the server, or a notice that an event could not be decoded. */
export type RawWatchEvent = RawObjectEvent | {
  /** The type of an event that could not be decoded; distinguishes it from those of the server. */
  readonly type: "UNDECODABLE";
  /** The reason why the watch event could not be decoded. */
  readonly error: DecodeError;
};
