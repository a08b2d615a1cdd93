import type { ApiObject, JsonObject } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../../machinery/resource.ts";
import type { StoredObject } from "../../storage/arena.ts";

const encoder = new TextEncoder();

/** How the objects of a watch are written. Equal forms write equal frames, so that they are shared. */
export interface WatchForm {
  /** Equal for equal forms; it says the first frame of a table apart. */
  readonly id: string;
  readonly resource: ApiResource;
  /** Turns an object into what is sent; absent: it is sent as it is. */
  readonly transform: ((object: ApiObject) => JsonObject) | undefined;
  readonly write: WriteFrame;
}

/** Writes one event of a watch. */
export type WriteFrame = (type: string, object: object) => Uint8Array;

/** One line of a watch. */
export function frameOf(type: string, object: object): Uint8Array {
  return encoder.encode(`{"type":"${type}","object":${JSON.stringify(object)}}\n`);
}

const HEADS: Readonly<Record<string, Uint8Array>> = Object.fromEntries(
  ["ADDED", "MODIFIED", "DELETED"].map((type) =>
    [type, encoder.encode(`{"type":"${type}","object":`)] as const
  ),
);

/** One line of a watch, of an object as it is stored. */
export function storedFrame(type: string, object: StoredObject): Uint8Array {
  const head = HEADS[type]!;
  const bytes = new Uint8Array(head.length + object.length + 2);
  bytes.set(head);
  bytes.set(object.bytes(), head.length);
  bytes[bytes.length - 2] = 0x7d;
  bytes[bytes.length - 1] = 0x0a;
  return bytes;
}
