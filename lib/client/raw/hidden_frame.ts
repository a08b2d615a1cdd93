import type { Hide } from "../transport/answer.ts";
import { decodeWatchFrame } from "../decode/watch_frames.ts";
import type { RawWatchEvent } from "../decode/raw_event.ts";

/**
 * Returns the event of one line of a watch, as {@linkcode decodeWatchFrame} does, with the
 * credentials removed from the object of an `ERROR` event.
 */
export function hiddenFrame(line: Uint8Array, hide: Hide): RawWatchEvent {
  const event = decodeWatchFrame(line);
  if (event.type !== "ERROR") return event;
  const text = hide(new TextDecoder().decode(event.object));
  return { ...event, object: new TextEncoder().encode(text) };
}
