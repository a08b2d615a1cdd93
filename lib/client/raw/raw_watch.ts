import { getLogger } from "@logtape/logtape";
import type { BodyReader } from "../calls/body_reader.ts";
import { LineSplitter, MAX_FRAME_BYTES } from "../decode/lines.ts";
import { hiddenFrame } from "./hidden_frame.ts";
import type { RawWatchEvent } from "../decode/raw_event.ts";

const logger = getLogger(["xca", "client", "watch"]);

type Batch = readonly RawWatchEvent[];

/**
 * An iterator over the decoded events in the body of a watch: the lines of one network chunk at a
 * time. Can be iterated once. The connection is closed when the iteration ends, for any reason.
 */
export class RawWatch implements AsyncIterableIterator<Batch> {
  readonly #reader: BodyReader;
  readonly #what: string;
  readonly #lines: LineSplitter = new LineSplitter({ maxBytes: MAX_FRAME_BYTES });

  /**
   * Creates an iterator over the watch in a response body. `what` names the watch in error
   * messages.
   */
  constructor(reader: BodyReader, what: string) {
    this.#reader = reader;
    this.#what = what;
  }

  /** Returns the watch events in the next chunk from the network that completes at least one. */
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

  /** Ends the iteration and closes the watch. */
  return(): Promise<IteratorResult<Batch, undefined>> {
    this.#reader[Symbol.dispose]();
    return Promise.resolve({ done: true, value: undefined });
  }

  #end(): IteratorResult<Batch, undefined> {
    const lost = this.#lines.pendingBytes;
    if (lost > 0) {
      // The server sends an incomplete event again to a watch that begins at the last version.
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
