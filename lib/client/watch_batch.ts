import { parseJson } from "@xca/apimachinery/internal/base";
import type { KubeObject, ResourceType } from "@xca/apimachinery/meta";
import { getLogger } from "@logtape/logtape";
import { type ApiError, apiErrorFromRaw } from "./api_error.ts";
import type { RawWatchEvent } from "./raw.ts";
import type { WatchEvent } from "./watch_event.ts";
import { withType } from "./calls/write_body.ts";

const logger = getLogger(["xca", "client", "watch"]);

/** The events of one batch of a watch, and the error that the server ended them with. */
export interface WatchBatch<T extends KubeObject> {
  /** What came before the error. */
  readonly events: readonly WatchEvent<T>[];
  /** What the server sent in the place of an event. */
  readonly error: ApiError | undefined;
}

/**
 * Parses a batch at once, since its bytes are borrowed until the next is asked for. A line that cannot
 * be decoded is logged and left out.
 */
export function parseWatchBatch<T extends KubeObject>(
  type: Pick<ResourceType<T>, "id" | "apiVersion" | "kind">,
  batch: readonly RawWatchEvent[],
): WatchBatch<T> {
  const events: WatchEvent<T>[] = [];
  for (const event of batch) {
    if (event.type === "ERROR") return { events, error: apiErrorFromRaw(event.object) };
    try {
      if (event.type === "UNDECODABLE") throw event.error;
      const object = parseJson(new TextDecoder().decode(event.object)) as T;
      events.push({ type: event.type, object: withType(type, object) });
    } catch (error) {
      logger.error("one event of the watch of {type} is lost: {error}", { type: type.id, error });
    }
  }
  return { events, error: undefined };
}
