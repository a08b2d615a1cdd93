import type { KubeObject } from "@xca/apimachinery/meta";
import { hideOf } from "../transport/answer.ts";
import { bodyError, type WantedBody } from "../raw/expected_body.ts";
import { WatchLines } from "../raw/watch_lines.ts";
import { parseWatchBatch } from "../typed/watch_batch.ts";
import type { WatchEvent } from "../typed/watch_event.ts";

/** Options of {@linkcode readWatch}, which reads the events of a watch from a response. */
export interface ReadWatchOptions<T extends KubeObject> extends WantedBody {
  /**
   * The function that returns the object of an event if it is of the watched resource, and throws a
   * DecodeError otherwise.
   */
  readonly expect: (object: unknown) => T;
}

/**
 * Yields the watch events in a response body; logs and leaves out a line that cannot be decoded.
 * Ending the iteration closes the connection.
 *
 * @throws {ApiError} When the server sends an error inside the stream.
 * @throws {DecodeError} When the response is not a watch, or `expect` refuses an object.
 * @throws {FrameTooLargeError} When an event is longer than 16 MiB.
 */
export async function* readWatch<T extends KubeObject>(
  response: Response,
  { expect, ...body }: ReadWatchOptions<T>,
): AsyncIterableIterator<WatchEvent<T>> {
  const { status, headers } = response;
  const hide = hideOf(response);
  const reader = response.body?.getReader();
  try {
    const unfit = bodyError({ status, headers, hide }, body);
    if (unfit) throw unfit;
    const lines = new WatchLines(body, hide);
    for (;;) {
      const { done = true, value } = await reader?.read() ?? {};
      if (done || !value) return lines.end();
      const { events, error } = parseWatchBatch<T>(lines.push(value), { id: body.path, expect });
      yield* events;
      if (error) throw error;
    }
  } finally {
    // A body that broke has rejected the read already; there is nothing to cancel.
    await reader?.cancel().catch(() => {});
  }
}
