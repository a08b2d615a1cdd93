import { parseJson } from "@xca/apimachinery/internal/base";
import type { KubeObject } from "@xca/apimachinery/meta";
import { getLogger } from "@logtape/logtape";
import { type ApiError, apiErrorFromRaw } from "../errors/api_error.ts";
import { DecodeError } from "../errors/decode_error.ts";
import type { RawWatchEvent } from "../decode/raw_event.ts";
import type { WatchEvent } from "./watch_event.ts";

const logger = getLogger(["xca", "client", "watch"]);

/**
 * The result of {@linkcode parseWatchBatch}: the events of a watch that arrived together, and the
 * error, if any, that ends the watch after these events.
 */
export interface WatchBatch<T extends KubeObject> {
  /** The watch events of the batch before the error. */
  readonly events: readonly WatchEvent<T>[];
  /**
   * The error that ends the watch: an ERROR event of the server, or an object that does not belong
   * to the watch; `undefined` when the watch continues.
   */
  readonly error: ApiError | DecodeError | undefined;
}

/**
 * Options of {@linkcode parseWatchBatch}, which parses the events of a watch that arrived together.
 */
export interface ParseWatchOptions<T extends KubeObject> {
  /** The id of the watched resource (`pods.v1`) or the path of the watch, for the log. */
  readonly id: string;
  /**
   * The function that returns a parsed object if it is of the watched resource, and throws a
   * DecodeError otherwise.
   */
  readonly expect: (object: unknown) => T;
}

/**
 * Parses a whole batch of watch events at once and returns the events, since the bytes of the batch
 * are valid only until the next batch is read. Logs and leaves out a line that cannot be decoded;
 * an `ERROR` event, or an object that does not belong to the watch, ends the batch with an error.
 */
export function parseWatchBatch<T extends KubeObject>(
  batch: readonly RawWatchEvent[],
  { id, expect }: ParseWatchOptions<T>,
): WatchBatch<T> {
  const events: WatchEvent<T>[] = [];
  for (const event of batch) {
    if (event.type === "ERROR") return { events, error: apiErrorFromRaw(event.object) };
    let object: unknown;
    try {
      if (event.type === "UNDECODABLE") throw event.error;
      object = parseJson(new TextDecoder().decode(event.object));
    } catch (error) {
      logger.error("one event of the watch of {type} is lost: {error}", { type: id, error });
      continue;
    }
    try {
      events.push({ type: event.type, object: expect(object) });
    } catch (error) {
      if (error instanceof DecodeError) return { events, error };
      throw error;
    }
  }
  return { events, error: undefined };
}
