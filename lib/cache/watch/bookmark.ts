import type { RawObject } from "../../client/raw/raw.ts";
import { DecodeError } from "../../client/errors/decode_error.ts";

/** What a bookmark says. */
export interface Bookmark {
  /** Everything up to this version was sent. */
  readonly resourceVersion: string;
  /** Whether it ends the initial events of a WatchList. */
  readonly endsInitialEvents: boolean;
}

/**
 * Reads a bookmark's object: nothing but its resourceVersion and one annotation count, since servers
 * fill in no more than that.
 *
 * @throws {DecodeError} When it is not JSON or has no resourceVersion.
 */
export function readBookmark(raw: RawObject): Bookmark {
  let metadata: { resourceVersion?: unknown; annotations?: Record<string, unknown> } | undefined;
  try {
    metadata = JSON.parse(new TextDecoder().decode(raw))?.metadata;
  } catch (cause) {
    throw new DecodeError("Cannot read a bookmark: it is not JSON", { cause });
  }
  const resourceVersion = metadata?.resourceVersion;
  if (typeof resourceVersion !== "string" || resourceVersion === "") {
    throw new DecodeError("Cannot read a bookmark: it has no metadata.resourceVersion");
  }
  return {
    resourceVersion,
    endsInitialEvents: metadata?.annotations?.["k8s.io/initial-events-end"] === "true",
  };
}
