import type { BodyDecoder, Decoded } from "./body_decoder.ts";
import { ProtocolError } from "./protocol_error.ts";

/**
 * The largest extension of a chunk, and the largest trailer, of a chunked HTTP body, in bytes; a
 * larger one is a ProtocolError.
 */
const MAX_ASIDE_BYTES = 16 * 1024;
/** The largest number of digits of a chunk's size, as in Go: some servers pad it with zeros. */
const MAX_SIZE_DIGITS = 16;
const CR = 0x0d;
const LF = 0x0a;
const SEMICOLON = 0x3b;
const SPACE = 0x20;
const TAB = 0x09;

/** The element of a chunked HTTP body that the decoder expects next. */
type State =
  | "size"
  | "after size"
  | "extension"
  | "end of size"
  | "data"
  | "after data"
  | "end of data"
  | "trailer"
  | "in trailer"
  | "end of trailer line"
  | "end"
  | "done";

/**
 * A decoder of chunked HTTP bodies (RFC 9112, section 7.1). The data of all chunks in a push is
 * moved to be contiguous, so that it can be returned as one view. Trailers are dropped.
 */
export class ChunkedDecoder implements BodyDecoder {
  readonly endsByClose = false;
  #state: State = "size";
  #digits = 0;
  /** The size of the current chunk while it is read, then the number of bytes left of the chunk. */
  #left = 0;
  #aside = 0;

  /**
   * Decodes the next bytes of a chunked HTTP body; see {@linkcode BodyDecoder.push}.
   *
   * @throws {ProtocolError} When the bytes are not chunks, or an extension or the trailer is too
   * large.
   */
  push(bytes: Uint8Array): Decoded {
    let start = 0;
    let end = 0;
    let at = 0;
    while (at < bytes.length && this.#state !== "done") {
      if (this.#state !== "data") {
        this.#state = this.#step(bytes[at++]!);
        continue;
      }
      const take = Math.min(this.#left, bytes.length - at);
      if (end === 0) start = end = at;
      if (end !== at) bytes.copyWithin(end, at, at + take);
      end += take;
      at += take;
      this.#left -= take;
      if (this.#left === 0) this.#state = "after data";
    }
    return { body: bytes.subarray(start, end), used: at, done: this.#state === "done" };
  }

  #step(byte: number): State {
    switch (this.#state) {
      case "size":
        return this.#size(byte);
      case "after size":
      case "extension":
        return this.#extension(byte);
      case "end of size":
        expect(byte === LF);
        return this.#left > 0 ? "data" : this.#trailer();
      case "after data":
        expect(byte === CR);
        return "end of data";
      case "end of data":
        expect(byte === LF);
        this.#digits = 0;
        this.#aside = 0;
        return "size";
      case "trailer":
        return byte === CR ? "end" : this.#inTrailer(byte);
      case "in trailer":
        return byte === CR ? "end of trailer line" : this.#inTrailer(byte);
      case "end of trailer line":
        expect(byte === LF);
        return "trailer";
      default:
        expect(byte === LF);
        return "done";
    }
  }

  #size(byte: number): State {
    const digit = hexDigit(byte);
    if (digit < 0) {
      expect(this.#digits > 0);
      return this.#extension(byte);
    }
    expect(++this.#digits <= MAX_SIZE_DIGITS);
    this.#left = this.#left * 16 + digit;
    expect(this.#left <= Number.MAX_SAFE_INTEGER);
    return "size";
  }

  /**
   * Returns the state after a byte between the size of a chunk and the end of its line, where only
   * white space and an extension, which begins with a semicolon, are accepted.
   */
  #extension(byte: number): State {
    if (byte === CR) return "end of size";
    this.#count(byte);
    if (this.#state === "extension" || byte === SEMICOLON) return "extension";
    expect(byte === SPACE || byte === TAB);
    return "after size";
  }

  #trailer(): State {
    this.#aside = 0;
    return "trailer";
  }

  #inTrailer(byte: number): State {
    this.#count(byte);
    return "in trailer";
  }

  #count(byte: number): void {
    expect(byte !== LF);
    if (++this.#aside > MAX_ASIDE_BYTES) {
      throw new ProtocolError("HPE_CHUNK_EXTENSIONS_OVERFLOW", "Chunk extensions overflow");
    }
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1;
}

function expect(right: boolean): void {
  if (!right) throw new ProtocolError("HPE_INVALID_CHUNK_SIZE", "Invalid chunk");
}
