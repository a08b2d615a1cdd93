import type { KubeObject } from "@xca/apimachinery/meta";
import { hideOf } from "../transport/answer.ts";
import { LineSplitter, MAX_FRAME_BYTES } from "../decode/lines.ts";
import { hiddenFrame } from "../raw/hidden_frame.ts";
import { parseWatchBatch } from "../typed/watch_batch.ts";
import type { WatchEvent } from "../typed/watch_event.ts";

/** The events in the body of a watch's answer. Ending the iteration closes its connection. */
export async function* readWatch<T extends KubeObject>(
  response: Response,
  what: string,
): AsyncIterableIterator<WatchEvent<T>> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const hide = hideOf(response);
  const lines = new LineSplitter({ maxBytes: MAX_FRAME_BYTES });
  // The builder does not know the kind, and a Table has none of the objects'.
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
    // A body that broke tells so to whom reads it; there is nothing left to cancel then.
    await reader.cancel().catch(() => {});
  }
}
