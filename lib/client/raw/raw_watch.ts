import { getLogger } from "@logtape/logtape";
import type { BodyReader } from "../calls/body_reader.ts";
import { LineSplitter, MAX_FRAME_BYTES } from "../decode/lines.ts";
import { hiddenFrame } from "./hidden_frame.ts";
import type { RawWatchEvent } from "../decode/raw_event.ts";

const logger = getLogger(["xca", "client", "watch"]);

type Batch = readonly RawWatchEvent[];

/**
 * The events of a watch's body: the lines of one network chunk at a time, decoded. It can be iterated
 * once. Whatever ends it closes the connection.
 */
export class RawWatch implements AsyncIterableIterator<Batch> {
  readonly #reader: BodyReader;
  readonly #what: string;
  readonly #lines: LineSplitter = new LineSplitter({ maxBytes: MAX_FRAME_BYTES });

  /** Takes the reader over. `what` is for messages. */
  constructor(reader: BodyReader, what: string) {
    this.#reader = reader;
    this.#what = what;
  }

  /** The events of the next chunk that ends a line. */
  async next(): Promise<IteratorResult<Batch, undefined>> {
    try {
      for (;;) {
        const chunk = await this.#reader.read();
        if (!chunk) return this.#end();
        const events: RawWatchEvent[] = [];
        for (const line of this.#lines.push(chunk)) {
          if (line.byteLength > 0) {
            events.push(hiddenFrame(line, (text) => this.#reader.hide(text)));
          }
        }
        if (events.length > 0) return { done: false, value: events };
      }
    } catch (error) {
      this.#reader[Symbol.dispose]();
      throw error;
    }
  }

  /** Ends the watch. */
  return(): Promise<IteratorResult<Batch, undefined>> {
    this.#reader[Symbol.dispose]();
    return Promise.resolve({ done: true, value: undefined });
  }

  #end(): IteratorResult<Batch, undefined> {
    const lost = this.#lines.pendingBytes;
    if (lost > 0) {
      // Half an event: the server sends it again to a watch from the last version seen.
      logger.debug("the {what} ended inside an event, {bytes} bytes are dropped", {
        what: this.#what,
        bytes: lost,
      });
    }
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
