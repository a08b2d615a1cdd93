// Mirrors Go's `net/http`, `Transport.roundTrip`, for one request on a connection of its own.
import type { Duplex } from "node:stream";
import { errorText } from "@xca/apimachinery/base";
import { goQuote } from "@xca/apimachinery/internal/values";

/** The maximum length of a line of an HTTP response, in the head or before a chunk, in bytes. */
const MAX_HEAD_BYTES = 1_048_576;

/** The names and values of HTTP headers. */
export type HeaderList = readonly (readonly [string, string])[];

/** An HTTP request to send on a connection. */
export interface SentRequest {
  readonly method: string;
  /** The path of the HTTP request, with its query. */
  readonly path: string;
  /** The headers of the HTTP request, without those about its length. */
  readonly headers: HeaderList;
  /** The body of the HTTP request. @default {none} */
  readonly body?: Uint8Array | undefined;
}

/** An HTTP response that is received on a connection. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: HeaderList;
  /**
   * The body of the HTTP response; `undefined` for a HEAD request and for the status codes 204, 205
   * and 304.
   */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | undefined;
}

/**
 * Sends an HTTP request on a connection; returns the response once its head is received. The
 * connection is destroyed when the caller has read or cancelled the body of the response, and at
 * once for a response without a body.
 *
 * @throws {Error} With Go's message, if the connection ends early, or its bytes are not an HTTP
 * response.
 */
export async function exchangeOn(
  connection: Duplex,
  { method, path, headers, body }: SentRequest,
): Promise<ReceivedResponse> {
  const hasBody = body !== undefined || !["GET", "HEAD", "OPTIONS"].includes(method);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...hasBody ? [`Content-Length: ${body?.byteLength ?? 0}`] : [],
  ];
  connection.write(new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n`));
  if (body) connection.write(body);
  return await receivedOn(connection, method);
}

/**
 * Receives the response to a request of the given method on a connection, whose first bytes may
 * have been read already; returns the response once its head is received. The connection is
 * destroyed as by {@linkcode exchangeOn}.
 *
 * @throws {Error} With Go's message, if the connection ends early, or its bytes are not an HTTP
 * response.
 */
export async function receivedOn(
  connection: Duplex,
  method: string,
  read: Uint8Array = new Uint8Array(0),
): Promise<ReceivedResponse> {
  const reader = new ByteReader(connection, read);
  try {
    for (;;) {
      const head = await headOf(reader);
      const { status, headers } = head;
      if (status >= 100 && status < 200) continue;
      if (method === "HEAD" || [204, 205, 304].includes(status)) {
        connection.destroy();
        return { status, headers, body: undefined };
      }
      const body = streamOf(bodyOf(reader, head), () => void connection.destroy());
      return { status, headers, body };
    }
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

/**
 * Reads at most `limit` bytes of the body of a response, and returns them as text; empty for no
 * body. The rest of the body is cancelled.
 */
export async function firstText(
  body: ReceivedResponse["body"] | null,
  limit: number,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let left = limit;
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk.subarray(0, left), { stream: true });
    left -= chunk.byteLength;
    if (left <= 0) break;
  }
  return text + decoder.decode();
}

/** The status, the headers and the length of the body of an HTTP response. */
interface ResponseHead extends Omit<ReceivedResponse, "body"> {
  /** The number of bytes of the body by `Content-Length`; `undefined` without this header. */
  readonly length: number | undefined;
}

/**
 * Reads the head of an HTTP response.
 *
 * @throws {Error} `EOF` if the connection ends before the head; otherwise with the message of Go's
 * HTTP client about a head that it cannot read.
 */
async function headOf(reader: ByteReader): Promise<ResponseHead> {
  const first = await reader.line();
  if (first === undefined) throw new Error("EOF");
  try {
    const head = await parsedHead(first, reader);
    return { ...head, length: bodyLength(head.headers) };
  } catch (error) {
    throw new Error(`net/http: HTTP/1.x transport connection broken: ${errorText(error)}`);
  }
}

async function parsedHead(
  first: string,
  reader: ByteReader,
): Promise<Omit<ReceivedResponse, "body">> {
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0);
  if (status === 0) throw new Error(`malformed HTTP response ${goQuote(first)}`);
  const headers: [string, string][] = [];
  for (let line = await reader.line(); line !== ""; line = await reader.line()) {
    if (line === undefined) throw new Error("unexpected EOF");
    const colon = line.indexOf(":");
    if (colon <= 0) throw new Error(`malformed MIME header line: ${line}`);
    headers.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()]);
  }
  return { status, headers };
}

/**
 * Returns the number of bytes of a body by the headers `Content-Length` of an HTTP response;
 * `undefined` if there is none.
 *
 * @throws {Error} With Go's message (`transfer.go`, `fixLength`), if a header is no number, or
 * two differ.
 */
function bodyLength(headers: HeaderList): number | undefined {
  const lengths = headers.filter(([name]) => name.toLowerCase() === "content-length")
    .map(([, value]) => value);
  const [length] = lengths;
  if (length === undefined) return undefined;
  if (lengths.some((each) => each !== length)) {
    const got = lengths.map(goQuote).join(" ");
    throw new Error(`http: message cannot contain multiple Content-Length headers; got [${got}]`);
  }
  if (length === "") throw new Error('invalid empty Content-Length ""');
  if (!/^\d+$/.test(length) || BigInt(length) >= 2n ** 63n) {
    throw new Error(`bad Content-Length ${goQuote(length)}`);
  }
  return Number(length);
}

/**
 * Yields the body of an HTTP response: the contents of its chunks, or as many bytes as
 * `Content-Length` says, or else all bytes until the connection ends.
 *
 * @throws {Error} If the connection ends before the body does.
 */
async function* bodyOf(
  reader: ByteReader,
  { headers, length = Infinity }: ResponseHead,
): AsyncGenerator<Uint8Array> {
  const encoding = headers.find(([name]) => name.toLowerCase() === "transfer-encoding")?.[1] ?? "";
  if (/\bchunked\b/i.test(encoding)) return yield* chunksOf(reader);
  yield* reader.bytes(length);
}

async function* chunksOf(reader: ByteReader): AsyncGenerator<Uint8Array> {
  for (;;) {
    const size = Number.parseInt(await reader.line() ?? "", 16);
    if (Number.isNaN(size)) throw new Error("unexpected EOF");
    if (size === 0) return;
    yield* reader.bytes(size);
    await reader.line();
  }
}

function streamOf(
  chunks: AsyncGenerator<Uint8Array>,
  end: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (!done) return controller.enqueue(value.slice());
        end();
        controller.close();
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    cancel: end,
  }, { highWaterMark: 0 });
}

/** A reader of a connection's bytes: by lines, or a given number of bytes. */
class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Uint8Array;

  constructor(connection: Duplex, read: Uint8Array) {
    this.#held = read;
    this.#chunks = connection.iterator({ destroyOnReturn: false });
  }

  /**
   * Returns the next line of the connection without its line end; `undefined` at the end of the
   * connection.
   *
   * @throws {Error} If the line is longer than {@linkcode MAX_HEAD_BYTES}.
   */
  async line(): Promise<string | undefined> {
    for (let from = 0;;) {
      const end = this.#held.indexOf(10, from);
      if (end >= 0) {
        const line = new TextDecoder("latin1").decode(this.#held.subarray(0, end));
        this.#held = this.#held.subarray(end + 1);
        return line.replace(/\r$/, "");
      }
      from = this.#held.byteLength;
      if (from > MAX_HEAD_BYTES) {
        throw new Error("net/http: server response headers exceeded limit");
      }
      if (!await this.#more()) return undefined;
    }
  }

  /**
   * Yields `count` bytes of the connection in pieces; for `Infinity`, all bytes up to the end of
   * the connection.
   *
   * @throws {Error} If the connection ends before `count` bytes.
   */
  async *bytes(count: number): AsyncGenerator<Uint8Array> {
    for (let left = count; left > 0;) {
      if (this.#held.byteLength === 0 && !await this.#more()) {
        if (count === Infinity) return;
        throw new Error("unexpected EOF");
      }
      const part = this.#held.subarray(0, left);
      this.#held = this.#held.subarray(part.byteLength);
      left -= part.byteLength;
      yield part;
    }
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next().catch((error) => {
      if (error.code === "ERR_STREAM_PREMATURE_CLOSE") return { done: true, value: undefined };
      throw error;
    });
    if (done) return false;
    const joined = new Uint8Array(this.#held.byteLength + value!.byteLength);
    joined.set(this.#held);
    joined.set(value!, this.#held.byteLength);
    this.#held = joined;
    return true;
  }
}
