/**
 * The header blocks of SPDY/3.1: names and values, compressed with a preset dictionary.
 *
 * @module
 */
import zlib from "node:zlib";

/**
 * The words at the beginning of SPDY's preset compression dictionary, where each word is preceded
 * by its length.
 */
const WORDS = [
  ..."options head post put delete trace accept accept-charset accept-encoding".split(" "),
  ..."accept-language accept-ranges age allow authorization cache-control connection".split(" "),
  ..."content-base content-encoding content-language content-length content-location".split(" "),
  ..."content-md5 content-range content-type date etag expect expires from host".split(" "),
  ..."if-match if-modified-since if-none-match if-range if-unmodified-since".split(" "),
  ..."last-modified location max-forwards pragma proxy-authenticate".split(" "),
  ..."proxy-authorization range referer retry-after server te trailer".split(" "),
  ..."transfer-encoding upgrade user-agent vary via warning www-authenticate".split(" "),
  ..."method get status".split(" "),
  "200 OK",
  ..."version HTTP/1.1 url public set-cookie keep-alive origin".split(" "),
];

const REST = "100101201202205206300302303304305306307402405406407408409410411412413414415416417" +
  "502504505203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad " +
  "Request401 Unauthorized403 Forbidden404 Not Found500 Internal Server Error501 Not " +
  "Implemented503 Service UnavailableJan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec " +
  "00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMTchunked,text/html,image/png,image/jpg," +
  "image/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,public" +
  "privatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.";

/** The preset compression dictionary of SPDY/3.1; its Adler-32 checksum is 0xe3c6a7c2. */
export const SPDY_DICTIONARY: Uint8Array = new TextEncoder().encode(
  WORDS.map((word) => `\0\0\0${String.fromCharCode(word.length)}${word}`).join("") + REST,
);

/**
 * The reader of the header blocks of one SPDY connection. The blocks are read in their order, since
 * they share one compression state.
 */
export class HeaderReader {
  readonly #inflate = zlib.createInflate({ dictionary: SPDY_DICTIONARY });
  #bytes: Uint8Array = new Uint8Array(0);

  /** Creates a reader of the header blocks of a new SPDY connection. */
  constructor() {
    this.#inflate.on("error", () => {}); // `read` rejects with the error, which ends the stream.
    this.#inflate.on("data", (data: Uint8Array) => {
      const joined = new Uint8Array(this.#bytes.byteLength + data.byteLength);
      joined.set(this.#bytes);
      joined.set(data, this.#bytes.byteLength);
      this.#bytes = joined;
    });
  }

  /**
   * Returns the headers in the next SPDY header block, with names in lower case. Rejects if the
   * block, or one before it, cannot be decompressed.
   */
  async read(block: Uint8Array): Promise<Map<string, string>> {
    this.#bytes = new Uint8Array(0);
    await new Promise<void>((resolve, reject) =>
      this.#inflate.write(block, (error) => {
        // Deno calls back without an error for the block that cannot be decompressed.
        const cause = error ?? this.#inflate.errored;
        if (cause) reject(cause);
        else resolve();
      })
    );
    let at = 0;
    const number = (): number => {
      const { buffer, byteOffset, byteLength } = this.#bytes;
      at += 4;
      return new DataView(buffer, byteOffset, byteLength).getUint32(at - 4);
    };
    const text = (): string => {
      const length = number();
      at += length;
      return new TextDecoder().decode(this.#bytes.subarray(at - length, at));
    };
    const headers = new Map<string, string>();
    for (let left = number(); left > 0; left--) {
      const name = text().toLowerCase();
      headers.set(name, text());
    }
    return headers;
  }

  /** Releases the decompressor of the SPDY header blocks. */
  close(): void {
    this.#inflate.close();
  }
}

/** The writer of empty header blocks for one SPDY connection, which share one compression state. */
export class EmptyHeaderWriter {
  readonly #deflate = zlib.createDeflate({ dictionary: SPDY_DICTIONARY });
  #parts: Uint8Array[] = [];

  /** Creates a writer of the header blocks of a new SPDY connection. */
  constructor() {
    this.#deflate.on("data", (data: Uint8Array) => this.#parts.push(data));
  }

  /** Returns the next SPDY header block, an empty one. */
  async write(): Promise<Uint8Array> {
    this.#parts = [];
    await new Promise<void>((resolve) => {
      this.#deflate.write(new Uint8Array(4));
      this.#deflate.flush(zlib.constants.Z_SYNC_FLUSH, () => resolve());
    });
    return await new Blob(this.#parts as Uint8Array<ArrayBuffer>[]).bytes();
  }

  /** Releases the compressor of the SPDY header blocks. */
  close(): void {
    this.#deflate.close();
  }
}
