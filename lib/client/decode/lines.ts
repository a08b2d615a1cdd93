import { findStagedNewline, stage } from "@xca/apimachinery/internal/base";
import { FrameTooLargeError } from "../errors/decode_error.ts";

/**
 * The default size of the largest watch event or list item that the decoders accept, in bytes: 16
 * MiB. A larger one fails with a FrameTooLargeError.
 */
export const MAX_FRAME_BYTES: number = 16 * 1024 * 1024;

/** Options of the constructors of {@linkcode LineSplitter} and {@linkcode ListDecoder}. */
export interface FrameOptions {
  /** The largest line or list item, in bytes. @default {MAX_FRAME_BYTES} */
  readonly maxBytes?: number | undefined;
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const FIRST_BUFFER_BYTES = 16 * 1024;
const KEPT_BUFFER_BYTES = 1024 * 1024;
const EMPTY = new Uint8Array(0);

/**
 * A splitter of a byte stream into lines, wherever its chunks are cut.
 *
 * - The cost is linear in the bytes, however many chunks a line takes.
 * - Lines come without their end (LF or CRLF); empty lines are left out.
 * - Lines are valid for a short time: they are views of the chunk or of a buffer of the splitter,
 *   valid until the next push.
 * - Bytes after the last newline are kept until the next push; {@linkcode LineSplitter.end} returns
 *   them.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { LineSplitter } from "./lines.ts";
 *
 * const splitter = new LineSplitter();
 * const bytes = (text: string) => new TextEncoder().encode(text);
 * assert(splitter.push(bytes("one\ntw")).length === 1);
 * assert(splitter.pendingBytes === 2);
 * assert(new TextDecoder().decode(splitter.push(bytes("o\r\n"))[0]) === "two");
 * ```
 */
export class LineSplitter {
  readonly #maxBytes: number;
  /** The buffer of the line splitter, whose first `#pending` bytes are the unfinished line. */
  #buffer: Uint8Array = EMPTY;
  #pending = 0;
  /**
   * The previous buffer, which a line that the last push returned is a view of, so that it must not
   * be overwritten before the next push.
   */
  #lent: Uint8Array = EMPTY;
  #failure: FrameTooLargeError | undefined;

  /** Creates a line splitter without pending bytes. */
  constructor(options: FrameOptions = {}) {
    this.#maxBytes = options.maxBytes ?? MAX_FRAME_BYTES;
  }

  /** The number of bytes of the splitter's unfinished line. */
  get pendingBytes(): number {
    return this.#pending;
  }

  /**
   * Takes the next bytes of the stream and returns the lines that they complete.
   *
   * @throws {FrameTooLargeError} When a line is too large. If this push completes lines before that
   * line, it returns them. Every later push and the end of the stream throw the same error.
   */
  push(chunk: Uint8Array): Uint8Array[] {
    const lines: Uint8Array[] = [];
    const isStaged = stage(chunk);
    let start = 0;
    while (this.#failure === undefined) {
      const newline = isStaged
        ? findStagedNewline(start, chunk.length)
        : chunk.indexOf(NEWLINE, start);
      const end = newline < 0 ? chunk.length : newline;
      if (this.#pending + end - start > this.#maxBytes) {
        this.#failure = new FrameTooLargeError("line", this.#maxBytes);
        this.#buffer = EMPTY;
        this.#pending = 0;
        break;
      }
      if (newline < 0) {
        this.#hold(chunk, start, end);
        break;
      }
      const line = trimEnd(this.#finish(chunk, start, end));
      if (line.length > 0) lines.push(line);
      start = newline + 1;
    }
    if (this.#failure !== undefined && lines.length === 0) throw this.#failure;
    return lines;
  }

  /**
   * Ends the stream and returns the bytes of its unfinished line.
   *
   * @throws {FrameTooLargeError} When a line was too large.
   */
  end(): Uint8Array {
    if (this.#failure !== undefined) throw this.#failure;
    return this.#buffer.subarray(0, this.#pending);
  }

  #finish(chunk: Uint8Array, start: number, end: number): Uint8Array {
    if (this.#pending === 0) return chunk.subarray(start, end);
    this.#hold(chunk, start, end);
    const line = this.#buffer.subarray(0, this.#pending);
    const spare = this.#lent.length <= KEPT_BUFFER_BYTES ? this.#lent : EMPTY;
    this.#lent = this.#buffer;
    this.#buffer = spare;
    this.#pending = 0;
    return line;
  }

  #hold(chunk: Uint8Array, start: number, end: number): void {
    if (end === start) return;
    const needed = this.#pending + end - start;
    if (needed > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(needed, this.#buffer.length * 2, FIRST_BUFFER_BYTES));
      grown.set(this.#buffer.subarray(0, this.#pending));
      this.#buffer = grown;
    }
    this.#buffer.set(
      start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end),
      this.#pending,
    );
    this.#pending = needed;
  }
}

function trimEnd(line: Uint8Array): Uint8Array {
  return line[line.length - 1] === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
}
