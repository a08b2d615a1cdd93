import { Buffer } from "node:buffer";
import type { HeaderPair } from "./header_pair.ts";
import { ProtocolError } from "./protocol_error.ts";

/** How long a head may be, in bytes. */
export const MAX_HEAD_BYTES: number = 64 * 1024;
/** How many lines a head may have: reading `Headers` takes the square of how many there are. */
const MAX_LINES = 500;
/** How many interim answers may come before the answer. */
const MAX_INTERIMS = 1_000;

/** What stands before the body of an answer. */
export interface ResponseHead {
  /** The status. */
  readonly status: number;
  /** What follows the status, for people. */
  readonly reason: string;
  /** The headers in their order, names as they came. */
  readonly headers: readonly HeaderPair[];
  /** Whether it is HTTP/1.0, whose connections are not kept. */
  readonly old: boolean;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: ([\t\x20-\x7e\x80-\xff]*))?$/;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const SWITCHING = 101;
const BEGINNING = "HTTP/1.";
const END = "\r\n\r\n";
/** How the head ends of who leaves out CR: no other end would come. */
const BARE_END = "\n\n";

/**
 * Collects the head of an answer, whatever the chunks are cut at.
 *
 * It is strict, since a head that two sides read in two ways is how answers are smuggled: lines end
 * with CRLF, names are tokens, nothing stands between a name and its colon.
 */
export class ResponseHeadReader {
  /** What came before, as long as no end of the head is in it. */
  #held: Buffer | undefined;
  #interims = 0;

  /**
   * Takes the next bytes. Returns the head, and where in `chunk` the rest begins; `undefined` as long
   * as it is not whole. Interim answers (RFC 9110, section 15.2) are left out, but for 101, which is
   * the last that HTTP says on a connection.
   *
   * @throws {ProtocolError} When they are no head of an answer, or too much of one.
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
    const end = bytes.indexOf(END, Math.max(0, before - END.length + 1), "latin1");
    const bare = bytes.indexOf(BARE_END, Math.max(0, before - BARE_END.length + 1), "latin1");
    const bareFirst = bare >= 0 && (end < 0 || bare < end);
    const stop = bareFirst ? bare : end;
    if ((stop < 0 ? bytes.length : stop) > MAX_HEAD_BYTES) throw overflow();
    if (bareFirst) throw new ProtocolError("HPE_CR_EXPECTED", "Missing CR before LF");
    if (end < 0) {
      // A copy: the chunk's memory is given back.
      this.#held = held ? bytes : Buffer.from(bytes);
      return undefined;
    }
    this.#held = undefined;
    const head = parseHead(bytes.toString("latin1", 0, end));
    return { head, rest: end + END.length - before };
  }
}

/** Tells at once what will never be an answer: it may be the last that comes. */
function checkBeginning(bytes: Buffer): void {
  const text = bytes.toString("latin1", 0, BEGINNING.length);
  if (!BEGINNING.startsWith(text)) {
    throw new ProtocolError("HPE_INVALID_CONSTANT", "Expected HTTP/1.x");
  }
}

function parseHead(text: string): ResponseHead {
  const [first = "", ...lines] = text.split("\r\n", MAX_LINES + 2);
  if (lines.length > MAX_LINES) throw overflow();
  const status = STATUS_LINE.exec(first);
  if (!status) throw new ProtocolError("HPE_INVALID_STATUS", "Invalid status line");
  return {
    status: Number(status[2]),
    reason: status[3] ?? "",
    headers: unfolded(lines).map(headerOf),
    old: status[1] === "0",
  };
}

/** Each header with the lines that continue it (RFC 9112, section 5.2). */
function unfolded(lines: readonly string[]): string[][] {
  const headers: string[][] = [];
  for (const line of lines) {
    if (!isBlank(line[0])) headers.push([line]);
    else if (headers.length > 0) headers.at(-1)!.push(line);
    else throw invalidHeader();
  }
  return headers;
}

function headerOf([line = "", ...more]: readonly string[]): [string, string] {
  const header = HEADER.exec(line);
  if (!header) throw invalidHeader();
  const values = [header[2]!, ...more].map(stripped);
  const value = values.length === 1 ? values[0]! : values.filter((part) => part !== "").join(" ");
  if (!VALUE.test(value)) throw invalidHeader();
  return [header[1]!, value];
}

function invalidHeader(): ProtocolError {
  return new ProtocolError("HPE_INVALID_HEADER_TOKEN", "Invalid header line");
}

function overflow(): ProtocolError {
  return new ProtocolError("HPE_HEADER_OVERFLOW", "Header overflow");
}

/**
 * The text without the blanks around it that HTTP knows: no others, which another reader leaves in
 * place. By an expression it would take the square of a long run of them.
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

/** The values of all headers of that name (in lower case), joined as lists are. */
export function headerList({ headers }: Pick<ResponseHead, "headers">, name: string): string[] {
  const values: string[] = [];
  for (const [each, value] of headers) {
    if (each.length !== name.length || each.toLowerCase() !== name) continue;
    for (const item of value.split(",")) values.push(stripped(item));
  }
  return values;
}
