import { getLogger } from "@logtape/logtape";
import { LineSplitter, MAX_FRAME_BYTES } from "../decode/lines.ts";
import type { RawWatchEvent } from "../decode/raw_event.ts";
import { cutText, messageText } from "../errors/message_text.ts";
import { isStatus } from "../errors/status.ts";
import type { Hide } from "../transport/answer.ts";
import { unfit, type WantedBody } from "./expected_body.ts";
import { hiddenFrame } from "./hidden_frame.ts";

const logger = getLogger(["xca", "client", "watch"]);

/**
 * A decoder that turns the body of a watch, in chunks, into events. A line that cannot be decoded
 * results in an event `UNDECODABLE`; a first line that shows that the body is not a watch at all is
 * an error.
 */
export class WatchLines {
  readonly #body: WantedBody;
  readonly #hide: Hide;
  readonly #lines: LineSplitter = new LineSplitter({ maxBytes: MAX_FRAME_BYTES });
  #isFirst = true;

  /**
   * Creates a decoder of a watch. `body` has the name of the watch for error messages, `hide`
   * removes credentials from texts.
   */
  constructor(body: WantedBody, hide: Hide) {
    this.#body = body;
    this.#hide = hide;
  }

  /**
   * Returns the events of the lines that the next bytes complete.
   *
   * @throws {DecodeError} When the first line is not that of a watch.
   * @throws {FrameTooLargeError} When a line is too large.
   */
  push(chunk: Uint8Array): RawWatchEvent[] {
    const events: RawWatchEvent[] = [];
    for (const line of this.#lines.push(chunk)) {
      if (line.byteLength === 0) continue;
      const event = hiddenFrame(line, this.#hide);
      if (this.#isFirst && event.type === "UNDECODABLE") this.#expectWatch(line);
      this.#isFirst = false;
      events.push(event);
    }
    return events;
  }

  /**
   * Ends the body. An event that is cut short is dropped with a log message, since the server sends
   * it again to a watch that begins at the last version.
   *
   * @throws {DecodeError} When the body is a single unfinished line that is not that of a watch.
   * @throws {FrameTooLargeError} When a line was too large.
   */
  end(): void {
    const pending = this.#lines.end();
    if (pending.byteLength === 0) return;
    if (this.#isFirst) this.#expectWatch(pending);
    logger.debug("the {what} ended inside an event, {bytes} bytes are dropped", {
      what: this.#body.wanted.replace(/^an? /, ""),
      bytes: pending.byteLength,
    });
  }

  #expectWatch(line: Uint8Array): void {
    const found = otherThanWatch(this.#hide(new TextDecoder().decode(line)));
    if (found !== undefined) throw unfit(this.#body, found);
  }
}

/**
 * Returns the description, for an error message, of a line that is certainly not an event of a
 * watch; `undefined` for an event, even a damaged one.
 */
function otherThanWatch(line: string): string | undefined {
  const text = line.trim();
  const [tag] = /^<[!?]?[a-z]{1,20}/i.exec(text) ?? [];
  if (tag !== undefined) return `it begins as a page does: ${tag}`;
  // Events are written in one line, other objects sometimes in several.
  if (text === "{" || text === "[") return "it is JSON in several lines";
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return /^[{\uFFFD\0]/.test(text) ? undefined : "it is a text that is not JSON";
  }
  if (value === null) return "it is null";
  if (typeof value !== "object") return `it is a ${typeof value}`;
  return Array.isArray(value) ? "it is an array" : otherObject(value);
}

function otherObject(value: object): string | undefined {
  const { kind, apiVersion, items } = value as Record<string, unknown>;
  if (typeof kind === "string" && typeof apiVersion === "string") {
    const said = isStatus(value) && typeof value.message === "string"
      ? `, saying ${JSON.stringify(cutText(messageText(value.message), 200))}`
      : "";
    return `it is a ${cutText(kind, 60)} of ${cutText(apiVersion, 60)}${said}`;
  }
  if (Array.isArray(items)) return "it is a list";
  return "type" in value || "object" in value ? undefined : "it is an object without a type";
}
