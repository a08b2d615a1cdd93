/** An HTTP request that a `ScriptedServer` received. */
export interface ScriptedRequest {
  /** The HTTP method of the request. */
  readonly method: string;
  /** The target of the request as sent: path and query. */
  readonly path: string;
  /** The headers of the request. */
  readonly headers: Headers;
  /** The body of the request, decoded as UTF-8; empty without `content-length`. */
  readonly body: string;
}

/** A reader of HTTP/1.1 requests from a connection without TLS, for tests. */
export class HttpRequestReader {
  readonly #conn: Deno.TcpConn;
  #buffered = new Uint8Array();

  /** Creates a reader of HTTP requests from `conn`, which the caller closes. */
  constructor(conn: Deno.TcpConn) {
    this.#conn = conn;
  }

  /**
   * Resolves to the next request of the connection with its whole body, or to `undefined` when the
   * connection was closed or broke before the request was complete.
   *
   * @throws {Error} When the client does not speak HTTP/1.1, or sends a body without
   * `content-length`, or with one that is no number.
   */
  async next(): Promise<ScriptedRequest | undefined> {
    let end = -1;
    while ((end = this.#headEnd()) < 0) {
      if (!await this.#fill()) return undefined;
    }
    const [line = "", ...fields] = new TextDecoder().decode(this.#take(end + 4)).trim().split(
      "\r\n",
    );
    const [, method, path] = /^([A-Z]+) (\S+) HTTP\/1\.1$/.exec(line) ?? [];
    if (!method || !path) throw new Error(`Cannot read a request: it begins with "${line}"`);
    const headers = new Headers(fields.map((field): [string, string] => {
      const colon = field.indexOf(":");
      return [field.slice(0, colon), field.slice(colon + 1).trim()];
    }));
    if (headers.has("transfer-encoding")) {
      throw new Error("Cannot read a request: its body has no content-length");
    }
    const declared = headers.get("content-length") ?? "0";
    if (!/^\d+$/.test(declared)) {
      throw new Error(`Cannot read a request: its content-length is "${declared}"`);
    }
    const length = Number(declared);
    while (this.#buffered.length < length) {
      if (!await this.#fill()) return undefined;
    }
    return { method, path, headers, body: new TextDecoder().decode(this.#take(length)) };
  }

  /**
   * Resolves when the connection is closed or broken from either side; bytes that arrive until then
   * are buffered.
   */
  async untilClosed(): Promise<void> {
    while (await this.#fill());
  }

  #headEnd(): number {
    const bytes = this.#buffered;
    for (let at = 0; at + 3 < bytes.length; at++) {
      if (
        bytes[at] === 13 && bytes[at + 1] === 10 && bytes[at + 2] === 13 && bytes[at + 3] === 10
      ) {
        return at;
      }
    }
    return -1;
  }

  #take(count: number): Uint8Array {
    const taken = this.#buffered.slice(0, count);
    this.#buffered = this.#buffered.slice(count);
    return taken;
  }

  async #fill(): Promise<boolean> {
    const buffer = new Uint8Array(16 * 1024);
    const count = await this.#conn.read(buffer).catch(() => null);
    if (count === null) return false;
    const joined = new Uint8Array(this.#buffered.length + count);
    joined.set(this.#buffered);
    joined.set(buffer.subarray(0, count), this.#buffered.length);
    this.#buffered = joined;
    return true;
  }
}
