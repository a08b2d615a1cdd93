import type { BodyReader } from "../calls/body_reader.ts";
import type { WantedBody } from "./expected_body.ts";
import { WatchLines } from "./watch_lines.ts";
import type { RawWatchEvent } from "../decode/raw_event.ts";

type Batch = readonly RawWatchEvent[];

/**
 * An iterator over the decoded events in the body of a watch: the lines of one network chunk at a
 * time. Can be iterated once. The connection is closed when the iteration ends, for any reason.
 */
export class RawWatch implements AsyncIterableIterator<Batch> {
  readonly #reader: BodyReader;
  readonly #lines: WatchLines;

  /**
   * Creates an iterator over the watch in a response body. `body` names the watch in error
   * messages.
   */
  constructor(reader: BodyReader, body: WantedBody) {
    this.#reader = reader;
    this.#lines = new WatchLines(body, (text) => reader.hide(text));
  }

  /**
   * Returns the watch events in the next chunk from the network that completes at least one. The
   * iteration is done at the end of the body.
   */
  async next(): Promise<IteratorResult<Batch, undefined>> {
    try {
      for (;;) {
        const chunk = await this.#reader.read();
        if (!chunk) return this.#end();
        const events = this.#lines.push(chunk);
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
    this.#lines.end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
