import type { RawObject } from "../../client/decode/raw_event.ts";
import { DecodeError } from "../../client/errors/decode_error.ts";

/**
 * The content of a watch bookmark: its resourceVersion, and whether the bookmark ends the initial
 * events.
 */
export interface Bookmark {
  /** The resourceVersion up to which the watch sent all events. */
  readonly resourceVersion: string;
  /**
   * Reports whether the bookmark ends the initial events of a WatchList (has the annotation
   * `k8s.io/initial-events-end: "true"`).
   */
  readonly endsInitialEvents: boolean;
}

/**
 * Returns the content of a watch bookmark, decoded from its JSON text. Reads only
 * `metadata.resourceVersion` and the annotation `k8s.io/initial-events-end`, since servers set
 * nothing else.
 *
 * @throws {DecodeError} If the object is not JSON or has no resourceVersion.
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
