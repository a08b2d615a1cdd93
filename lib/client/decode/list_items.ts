import {
  parseAt,
  skipSpace,
  stage,
  stageIsAscii,
  ValueSkipper,
} from "@xca/apimachinery/internal/base";
import type { ListMeta } from "@xca/apimachinery/meta";
import type { RawObject, ScannedObject } from "./raw_event.ts";
import { DecodeError, FrameTooLargeError } from "../errors/decode_error.ts";
import { type FrameOptions, MAX_FRAME_BYTES } from "./lines.ts";
import { scanObject } from "./object_layout.ts";

const EMPTY = new Uint8Array(0);
const KEPT_BUFFER_BYTES = 1024 * 1024;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const COLON = 0x3a;
const QUOTE = 0x22;

/** The JSON token of a list response that the list decoder expects next. */
type State =
  | "begin"
  | "first key or end"
  | "comma or end"
  | "key"
  | "colon"
  | "value"
  | "first item or end"
  | "comma or end of items"
  | "item"
  | "done";

/**
 * A decoder that splits the JSON body of a list into items while it arrives. Items are passed on as
 * soon as they are complete, so that at most the largest item and one chunk are in memory.
 *
 * - Chunks may be cut anywhere; keys may come in any order; unknown members are skipped.
 * - `items: null` is an empty list. A body without `items`, such as a `Table`, is refused by
 *   `finish()`.
 * - The last of two `metadata` counts; a second `items` is refused.
 * - The text of an item is not checked: the packer or parser of the item finds its faults, so that
 *   one bad object does not fail the list.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ListDecoder } from "./list_items.ts";
 *
 * const decoder = new ListDecoder();
 * const text = '{"metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"web"}}]}';
 * let items = 0;
 * decoder.push(new TextEncoder().encode(text), (batch) => items += batch.length);
 * assert(decoder.finish().resourceVersion === "7" && items === 1);
 * ```
 */
export class ListDecoder {
  readonly #maxBytes: number;
  #state: State = "begin";
  #key = "";
  #kind = "";
  #apiVersion = "";
  #metadata: ListMeta = {};
  #sawItems = false;
  #consumed = 0;
  /**
   * The buffer of the list decoder, whose first `#held` bytes are the incomplete item or member.
   */
  #buffer: Uint8Array = EMPTY;
  #held = 0;
  #skipper: ValueSkipper | undefined;
  /**
   * Reports whether the bytes of the current push are in the memory of the WebAssembly scan;
   * `undefined` before the first item of the push.
   */
  #isStaged: boolean | undefined;
  #failure: Error | undefined;
  #batch: RawObject[] = [];

  /** Creates a decoder of a list response, at the beginning of the response. */
  constructor(options: FrameOptions = {}) {
    this.#maxBytes = options.maxBytes ?? MAX_FRAME_BYTES;
  }

  /**
   * Takes the next bytes of the list. Calls `onItems` at most once, with the items that they
   * complete. The items are valid until `onItems` returns. Items before a fault are passed on
   * before the error is thrown.
   *
   * @throws {DecodeError} When the body is not a list; every later call throws the same error.
   * @throws {FrameTooLargeError} When an item, or the key or value of another member of the list,
   * has more than `maxBytes` bytes, complete or not; every later call throws the same error.
   */
  push(chunk: Uint8Array, onItems: (batch: readonly RawObject[]) => void): void {
    if (this.#failure !== undefined) throw this.#failure;
    const held = this.#held;
    const bytes = held === 0 ? chunk : this.#append(chunk);
    const end = held + chunk.length;
    let at = 0;
    this.#isStaged = undefined;
    try {
      at = this.#run(bytes, end);
      this.#checkSize(end - at);
    } catch (error) {
      this.#failure = error as Error;
    }
    this.#consumed += at;
    const batch = this.#batch;
    this.#batch = [];
    try {
      if (batch.length > 0) onItems(batch);
    } finally {
      this.#keep(bytes, at, end);
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  /**
   * Ends the decoding of a list response and returns the list's metadata, an empty object if the
   * list has none.
   *
   * @throws {DecodeError} When the body is cut short or is not a list.
   * @throws {FrameTooLargeError} When {@linkcode ListDecoder.push} has thrown it.
   */
  finish(): ListMeta {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#state !== "done") {
      throw new DecodeError(
        `Cannot decode list: it ends after ${this.#consumed + this.#held} bytes, ` +
          `before its end was seen`,
      );
    }
    if (!this.#sawItems) {
      throw new DecodeError(
        `Cannot decode list: it has no items${this.#kind ? `, its kind is ${this.#kind}` : ""}`,
      );
    }
    return this.#metadata;
  }

  /**
   * The apiVersion and kind of the list as the body states them; each is empty if the body does not
   * state it, or the decoder has not reached it. Both are final once the list is complete.
   */
  get type(): { readonly apiVersion: string; readonly kind: string } {
    return { apiVersion: this.#apiVersion, kind: this.#kind };
  }

  #append(chunk: Uint8Array): Uint8Array {
    this.#reserve(this.#held + chunk.length, this.#held);
    this.#buffer.set(chunk, this.#held);
    return this.#buffer;
  }

  #reserve(needed: number, used: number): void {
    if (needed <= this.#buffer.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#buffer.length * 2));
    grown.set(this.#buffer.subarray(0, used));
    this.#buffer = grown;
  }

  #keep(bytes: Uint8Array, at: number, end: number): void {
    this.#held = this.#failure === undefined ? end - at : 0;
    if (this.#held === 0) {
      if (this.#buffer.length > KEPT_BUFFER_BYTES) this.#buffer = EMPTY;
    } else if (bytes === this.#buffer) {
      if (at > 0) bytes.copyWithin(0, at, end);
    } else {
      this.#reserve(this.#held, 0);
      this.#buffer.set(bytes.subarray(at, end));
    }
    this.#skipper?.shift(at);
  }

  /**
   * Decodes the complete tokens (punctuation, keys, items and other values) and returns the
   * position of the first incomplete one, or the end.
   */
  #run(bytes: Uint8Array, end: number): number {
    let at = 0;
    for (;;) {
      const start = skipSpace(bytes, at, end);
      if (start >= end) return start;
      const next = this.#step(bytes, start, end);
      if (next < 0) return start;
      at = next;
    }
  }

  /**
   * Decodes the next token of the list, such as a comma, a key or an item, and returns the position
   * after the token; -1 when it is incomplete.
   */
  #step(bytes: Uint8Array, at: number, end: number): number {
    const byte = bytes[at]!;
    switch (this.#state) {
      case "begin":
        return this.#expect(byte === OPEN_BRACE, at, "first key or end");
      case "first key or end":
        if (byte === CLOSE_BRACE) return this.#goto("done", at + 1);
        return this.#goto("key", at);
      case "comma or end":
        if (byte === CLOSE_BRACE) return this.#goto("done", at + 1);
        return this.#expect(byte === COMMA, at, "key");
      case "key":
        return this.#takeKey(bytes, at, end);
      case "colon":
        return this.#expect(byte === COLON, at, "value");
      case "value":
        return this.#takeValue(bytes, at, end);
      case "first item or end":
        if (byte === CLOSE_BRACKET) return this.#goto("comma or end", at + 1);
        return this.#goto("item", at);
      case "comma or end of items":
        if (byte === CLOSE_BRACKET) return this.#goto("comma or end", at + 1);
        return this.#expect(byte === COMMA, at, "item");
      case "item":
        return this.#takeItem(bytes, at, end);
      case "done":
        return this.#malformed(at);
    }
  }

  #goto(state: State, at: number): number {
    this.#state = state;
    return at;
  }

  #expect(met: boolean, at: number, next: State): number {
    if (!met) return this.#malformed(at);
    return this.#goto(next, at + 1);
  }

  #malformed(at: number): never {
    throw new DecodeError(
      `Cannot decode list: byte ${
        this.#consumed + at
      } is not what JSON wants there (${this.#state})`,
    );
  }

  #takeKey(bytes: Uint8Array, at: number, end: number): number {
    if (bytes[at] !== QUOTE) return this.#malformed(at);
    const after = this.#skip(bytes, at, end);
    if (after < 0) return -1;
    this.#key = this.#parse(bytes, at, after) as string;
    return this.#goto("colon", after);
  }

  #takeValue(bytes: Uint8Array, at: number, end: number): number {
    if (this.#key === "items" && bytes[at] === OPEN_BRACKET) {
      this.#noteItems();
      return this.#goto("first item or end", at + 1);
    }
    const after = this.#skip(bytes, at, end);
    if (after < 0) return -1;
    if (after === at) return this.#malformed(at);
    if (this.#key === "metadata") this.#takeMetadata(this.#parse(bytes, at, after));
    else if (this.#key === "kind") this.#kind = String(this.#parse(bytes, at, after));
    else if (this.#key === "apiVersion") this.#apiVersion = String(this.#parse(bytes, at, after));
    else if (this.#key === "items") {
      this.#noteItems();
      if (this.#parse(bytes, at, after) !== null) {
        throw new DecodeError("Cannot decode list: its items are not an array");
      }
    }
    return this.#goto("comma or end", after);
  }

  #noteItems(): void {
    if (this.#sawItems) throw new DecodeError("Cannot decode list: it has items twice");
    this.#sawItems = true;
  }

  #takeMetadata(value: unknown): void {
    if (typeof value !== "object" || Array.isArray(value)) {
      throw new DecodeError("Cannot decode list: its metadata is not an object");
    }
    this.#metadata = (value ?? {}) as ListMeta;
  }

  #takeItem(bytes: Uint8Array, at: number, end: number): number {
    if (this.#skipper === undefined && bytes[at] === OPEN_BRACE) {
      const isStaged = this.#isStaged ??= stage(bytes.subarray(0, end));
      const layout = scanObject(bytes, at, end, { origin: at, isStaged });
      if (layout.end > 0) {
        this.#checkSize(layout.end);
        if (isStaged && stageIsAscii()) layout.encoding = "ascii";
        const item: ScannedObject = bytes.subarray(at, at + layout.end);
        item.layout = layout;
        this.#batch.push(item);
        return this.#goto("comma or end of items", at + layout.end);
      }
    }
    const after = this.#skip(bytes, at, end);
    if (after < 0) return -1;
    if (after === at) return this.#malformed(at);
    this.#batch.push(bytes.subarray(at, after));
    return this.#goto("comma or end of items", after);
  }

  /**
   * Returns the position after the JSON value at `at`; -1, with the progress kept, when the value
   * is incomplete.
   */
  #skip(bytes: Uint8Array, at: number, end: number): number {
    const skipper = this.#skipper ??= new ValueSkipper(at);
    const after = skipper.advance(bytes, end);
    if (after < 0) return after;
    this.#skipper = undefined;
    this.#checkSize(after - at);
    return after;
  }

  /** Throws a FrameTooLargeError if an item or member has more bytes than the decoder accepts. */
  #checkSize(bytes: number): void {
    if (bytes > this.#maxBytes) throw new FrameTooLargeError("list item", this.#maxBytes);
  }

  #parse(bytes: Uint8Array, start: number, end: number): unknown {
    try {
      return parseAt(bytes, start, end);
    } catch (cause) {
      throw new DecodeError(
        `Cannot decode list: ${this.#key || "a key"} is not JSON, near byte ${
          this.#consumed + start
        }`,
        { cause },
      );
    }
  }
}
