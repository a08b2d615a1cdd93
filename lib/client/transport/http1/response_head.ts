import { Buffer } from "node:buffer";
import type { HeaderPair } from "./header_pair.ts";
import { ProtocolError } from "./protocol_error.ts";

/** The largest head of an HTTP response, in bytes; a larger one is a ProtocolError. */
export const MAX_HEAD_BYTES: number = 64 * 1024;
/**
 * The largest number of lines after the status line in the head of an HTTP response, since
 * `Headers` takes quadratic time; more are a ProtocolError.
 */
const MAX_LINES = 500;
/**
 * The largest number of interim HTTP responses (1xx) before the final one; more are a
 * ProtocolError.
 */
const MAX_INTERIMS = 1_000;

/** The head of an HTTP response: status line and headers. */
export interface ResponseHead {
  /** The status code of the response. */
  readonly status: number;
  /** The reason phrase of the response, for users; empty when the status line has none. */
  readonly reason: string;
  /** The headers of the response in order, their names as received. */
  readonly headers: readonly HeaderPair[];
  /** Reports whether the response is HTTP/1.0, whose connections are not kept. */
  readonly old: boolean;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: ([\t\x20-\x7e\x80-\xff]*))?$/;
/**
 * The pattern of a fault in a response head: a character that no line may have, such as a bare CR
 * or LF, or a line after the first that begins neither with a name and a colon nor with a blank.
 */
const FAULT =
  /[^\t\x20-\x7e\x80-\xff\r\n]|\r(?!\n)|(?<!\r)\n|\r\n(?![!#$%&'*+.^_`|~0-9A-Za-z-]+:|[\t ])/;
const SWITCHING = 101;
const BEGINNING = "HTTP/1.";
const LF = 0x0a;
const CR = 0x0d;
/** The length in bytes of the empty line that ends a response head, with the line end before it. */
const END_BYTES = 4;

/**
 * A parser that collects the head of an HTTP response, wherever its chunks are cut.
 *
 * Strict, since a head that two parties read differently lets responses be smuggled: lines end with
 * CRLF, names are tokens, and a colon follows a name directly.
 */
export class ResponseHeadReader {
  /**
   * The bytes of the response head before the current chunk, which do not contain the end of the
   * head; `undefined` when there are none.
   */
  #held: Buffer | undefined;
  #interims = 0;

  /**
   * Takes the next bytes of the connection. Returns the response head and the position of the rest
   * in `chunk`; `undefined` while the head is incomplete. Interim responses (RFC 9110, section
   * 15.2) are skipped, except 101, which ends HTTP on a connection.
   *
   * @throws {ProtocolError} When the bytes are not the head of a response, or the head is too long.
   */
  push(chunk: Uint8Array): { readonly head: ResponseHead; readonly rest: number } | undefined {
    for (let at = 0;;) {
      const found = this.#next(chunk.subarray(at));
      if (!found) return undefined;
      at += found.rest;
      const { status } = found.head;
      if (status >= 200 || status === SWITCHING) return { head: found.head, rest: at };
      if (++this.#interims > MAX_INTERIMS) throw overflow();
    }
  }

  #next(chunk: Uint8Array): { readonly head: ResponseHead; readonly rest: number } | undefined {
    const held = this.#held;
    const before = held?.length ?? 0;
    const bytes = held
      ? Buffer.concat([held, chunk])
      : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (before < BEGINNING.length) checkBeginning(bytes);
    const end = endOfHead(bytes, Math.max(0, before - END_BYTES + 1));
    if ((end < 0 ? bytes.length : end) > MAX_HEAD_BYTES) throw overflow();
    if (end < 0) {
      // Copied, since the memory of the chunk is released.
      this.#held = held ? bytes : Buffer.from(bytes);
      return undefined;
    }
    this.#held = undefined;
    const head = parseHead(bytes.toString("latin1", 0, end));
    return { head, rest: end + END_BYTES - before };
  }
}

/**
 * Throws a ProtocolError for bytes that cannot become a response head, at once, since nothing more
 * may arrive.
 */
function checkBeginning(bytes: Buffer): void {
  const text = bytes.toString("latin1", 0, BEGINNING.length);
  if (!BEGINNING.startsWith(text)) {
    throw new ProtocolError("HPE_INVALID_CONSTANT", "Expected HTTP/1.x");
  }
}

/**
 * Returns the position of the two line ends that end a response head; -1 when they have not
 * arrived.
 *
 * @throws {ProtocolError} When an empty line is marked by bare LF, since the regular end would
 * never come.
 */
function endOfHead(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) {
      if (at > MAX_HEAD_BYTES) throw overflow();
      throw new ProtocolError("HPE_CR_EXPECTED", "Missing CR before LF");
    }
    if (bytes[at - 1] === CR && bytes[at + 1] === CR && bytes[at + 2] === LF) return at - 1;
  }
  return -1;
}

function parseHead(text: string): ResponseHead {
  const [first = "", ...lines] = text.split("\r\n", MAX_LINES + 2);
  if (lines.length > MAX_LINES) throw overflow();
  const status = STATUS_LINE.exec(first);
  if (!status) throw new ProtocolError("HPE_INVALID_STATUS", "Invalid status line");
  // A single test covers all lines, since two tests per header took a tenth of the parser's time.
  if (FAULT.test(text)) throw invalidHeader();
  return {
    status: Number(status[2]),
    reason: status[3] ?? "",
    headers: headersOf(lines),
    old: status[1] === "0",
  };
}

/**
 * Returns the headers in the lines of a head that have no {@linkcode FAULT}, and joins continuation
 * lines (RFC 9112, 5.2).
 *
 * @throws {ProtocolError} When the first line is a continuation line.
 */
function headersOf(lines: readonly string[]): HeaderPair[] {
  const headers: [string, string][] = [];
  for (const line of lines) {
    if (isBlank(line[0])) {
      const last = headers.at(-1);
      if (!last) throw invalidHeader();
      last[1] = [last[1], stripped(line)].filter((part) => part !== "").join(" ");
      continue;
    }
    const colon = line.indexOf(":");
    headers.push([line.slice(0, colon), stripped(line.slice(colon + 1))]);
  }
  return headers;
}

function invalidHeader(): ProtocolError {
  return new ProtocolError("HPE_INVALID_HEADER_TOKEN", "Invalid header line");
}

function overflow(): ProtocolError {
  return new ProtocolError("HPE_HEADER_OVERFLOW", "Header overflow");
}

/**
 * Returns a header value without the spaces and tabs around it. Other white space stays, since HTTP
 * regards it as a part of the value. A regular expression would take quadratic time for many
 * spaces.
 */
function stripped(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text[start]!)) start++;
  while (end > start && isBlank(text[end - 1]!)) end--;
  return text.slice(start, end);
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}

/**
 * Returns the items of the comma-separated lists in all headers of a name (in lower case), in order
 * and without the white space around them; an empty value is an empty item.
 */
export function headerList({ headers }: Pick<ResponseHead, "headers">, name: string): string[] {
  const values: string[] = [];
  for (const [each, value] of headers) {
    if (each.length !== name.length || each.toLowerCase() !== name) continue;
    for (const item of value.split(",")) values.push(stripped(item));
  }
  return values;
}
