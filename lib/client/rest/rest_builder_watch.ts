import type { KubeObject } from "@xca/apimachinery/meta";
import { hideOf } from "../transport/answer.ts";
import { LineSplitter, MAX_FRAME_BYTES } from "../decode/lines.ts";
import { hiddenFrame } from "../raw/hidden_frame.ts";
import { parseWatchBatch } from "../typed/watch_batch.ts";
import type { WatchEvent } from "../typed/watch_event.ts";

/** Yields the watch events in a response body. Ending the iteration closes the connection. */
export async function* readWatch<T extends KubeObject>(
  response: Response,
  what: string,
): AsyncIterableIterator<WatchEvent<T>> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const hide = hideOf(response);
  const lines = new LineSplitter({ maxBytes: MAX_FRAME_BYTES });
  // The builder does not know the kind of the objects, and a Table has another.
  const expect = (object: unknown): T => object as T;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const frames = lines.push(value).filter(({ byteLength }) => byteLength > 0);
      const { events, error } = parseWatchBatch<T>(
        frames.map((line) => hiddenFrame(line, hide)),
        { id: what, expect },
      );
      yield* events;
      if (error) throw error;
    }
  } finally {
    // A body that broke has rejected the read already; there is nothing to cancel.
    await reader.cancel().catch(() => {});
  }
}
