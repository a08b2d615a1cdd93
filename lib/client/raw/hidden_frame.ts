import type { Hide } from "../transport/answer.ts";
import { decodeWatchFrame } from "../decode/watch_frames.ts";
import type { RawWatchEvent } from "../decode/raw_event.ts";

/** A line of a watch as an event; an error that the server sends is fit for messages. */
export function hiddenFrame(line: Uint8Array, hide: Hide): RawWatchEvent {
  const event = decodeWatchFrame(line);
  if (event.type !== "ERROR") return event;
  const text = hide(new TextDecoder().decode(event.object));
  return { ...event, object: new TextEncoder().encode(text) };
}
