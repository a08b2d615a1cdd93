import type { DecodeError } from "../errors/decode_error.ts";

/**
 * The JSON text of one object, UTF-8.
 *
 * BORROWED: valid only during the callback that hands it over, or until the next batch of the
 * watch is asked for. Who keeps it copies it.
 */
export type RawObject = Uint8Array;

/** A watch event whose object is still text; its object is borrowed, see {@linkcode RawObject}. */
export interface RawObjectEvent {
  /** What happened; `ERROR` carries a `Status` instead of an object. */
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  /** The object's JSON text. */
  readonly object: RawObject;
}

/**
 * One line of a watch that alone is lost: invalid UTF-8 or JSON, or an event type nobody knows. The
 * stream goes on.
 */
export interface UndecodableEvent {
  /** Tells it from the events of the server. */
  readonly type: "UNDECODABLE";
  /** What is wrong with the line. */
  readonly error: DecodeError;
}

/** What a raw watch yields. */
export type RawWatchEvent = RawObjectEvent | UndecodableEvent;
