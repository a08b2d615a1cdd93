import type { RawWatchEvent } from "../raw.ts";

/** Takes one line of a watch apart. */
export function decodeWatchFrame(_line: Uint8Array): RawWatchEvent {
  throw new Error("not built yet");
}
