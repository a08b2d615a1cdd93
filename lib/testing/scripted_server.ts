import { HttpRequestReader, type ScriptedRequest } from "./http_request_reader.ts";

/**
 * A function that answers one request of a {@linkcode ScriptedServer}. `index` counts the requests
 * of the server from 0, over all connections.
 *
 * Returning before {@linkcode ScriptedExchange.end} or {@linkcode ScriptedExchange.cut} leaves the
 * connection open and silent. A script that waits on its own must observe {@linkcode
 * ScriptedExchange.signal}.
 */
export type Script = (exchange: ScriptedExchange, index: number) => void | Promise<void>;

/**
 * A request to a scripted server and the response that a {@linkcode Script} writes, byte by byte if
 * needed. The methods that write reject if the connection is closed or broken.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ScriptedServer } from "@xca/operator/testing";
 *
 * await using server = ScriptedServer.start(async (exchange) => {
 *   await exchange.head(200, { "content-type": "text/plain" });
 *   await exchange.write(`You asked for ${exchange.request.path}`);
 *   await exchange.end();
 * });
 * const response = await fetch(`${server.url}/version`);
 * assert.equal(await response.text(), "You asked for /version");
 * ```
 */
export class ScriptedExchange {
  /** The HTTP request that the test's script responds to. */
  readonly request: ScriptedRequest;
  /**
   * The signal that is aborted when the connection of the request is cut, has ended, or is closed
   * by the disposal of the scripted server.
   */
  readonly signal: AbortSignal;
  readonly #conn: Deno.TcpConn;
  readonly #abort: AbortController;
  #chunked = false;
  #state: "open" | "ended" | "cut" = "open";

  /** Creates the exchange of a request and its response; called by the scripted server. */
  constructor(request: ScriptedRequest, conn: Deno.TcpConn, abort: AbortController) {
    this.request = request;
    this.signal = abort.signal;
    this.#conn = conn;
    this.#abort = abort;
  }

  /**
   * The state of the response: `ended` after {@linkcode ScriptedExchange.end}, `cut` after
   * {@linkcode ScriptedExchange.cut}, else `open`.
   */
  get state(): "open" | "ended" | "cut" {
    return this.#state;
  }

  /**
   * Writes the status line and headers of the response. The body is chunked unless the headers
   * contain `content-length`.
   */
  async head(status: number, headers: Record<string, string> = {}): Promise<void> {
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    this.#chunked = !names.includes("content-length");
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    if (this.#chunked) lines.push("transfer-encoding: chunked\r\n");
    await this.raw(`HTTP/1.1 ${status} Scripted\r\n${lines.join("")}\r\n`);
  }

  /**
   * Writes a part of the response body; a separate chunk if the response is chunked. An empty part
   * writes nothing: an empty chunk would end the body.
   */
  async write(piece: string | Uint8Array): Promise<void> {
    const bytes = toBytes(piece);
    if (bytes.length === 0) return;
    if (!this.#chunked) return await this.raw(bytes);
    const size = toBytes(`${bytes.length.toString(16)}\r\n`);
    const chunk = new Uint8Array(size.length + bytes.length + 2);
    chunk.set(size);
    chunk.set(bytes, size.length);
    chunk.set([13, 10], size.length + bytes.length);
    await this.raw(chunk);
  }

  /**
   * Ends the response body (a chunked one by the last chunk); the connection stays open for the
   * next request.
   */
  async end(): Promise<void> {
    if (this.#chunked) await this.raw("0\r\n\r\n");
    this.#state = "ended";
  }

  /** Writes the whole response of the test's script: status, headers and body. */
  async reply(status: number, headers: Record<string, string>, body: string): Promise<void> {
    const bytes = toBytes(body);
    await this.head(status, { ...headers, "content-length": `${bytes.length}` });
    await this.write(bytes);
    await this.end();
  }

  /**
   * Writes bytes (a text as UTF-8) to the connection unchanged, for malformed responses. If that
   * fails, cuts the connection and rejects.
   */
  async raw(piece: string | Uint8Array): Promise<void> {
    const bytes = toBytes(piece);
    try {
      for (let at = 0; at < bytes.length;) at += await this.#conn.write(bytes.subarray(at));
    } catch (error) {
      this.cut();
      throw error;
    }
  }

  /**
   * Closes the connection of the request at once, even within a response, and aborts {@linkcode
   * ScriptedExchange.signal}.
   */
  cut(): void {
    this.#state = "cut";
    this.#abort.abort();
  }
}

/**
 * An HTTP/1.1 server on loopback without TLS whose responses a test writes byte by byte: bodies cut
 * within a character, responses that never end or never begin, any status and headers. For
 * complete, well-formed responses `Deno.serve` is enough.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ScriptedServer } from "@xca/operator/testing";
 *
 * await using server = ScriptedServer.start(async (exchange, index) => {
 *   if (index === 0) return await exchange.reply(429, { "retry-after": "1" }, "");
 *   await exchange.head(200);
 *   await exchange.write(new Uint8Array([0xc3])); // the first byte of "ü"
 *   exchange.cut();
 * });
 * const refused = await fetch(server.url);
 * await refused.body?.cancel();
 * assert(refused.status === 429 && server.requests[0]?.path === "/");
 * ```
 */
export class ScriptedServer implements AsyncDisposable {
  /** The URL of the scripted server, `http://127.0.0.1:<port>`. */
  readonly url: string;
  /**
   * The requests that the scripted server received so far, complete with their bodies, in the order
   * of their scripts.
   */
  readonly requests: ScriptedRequest[] = [];
  readonly #script: Script;
  readonly #listener: Deno.TcpListener;
  readonly #accepting: Promise<void>;
  readonly #open = new Map<AbortController, Promise<void>>();
  readonly #errors: unknown[] = [];
  #disposed = false;

  private constructor(script: Script) {
    this.#script = script;
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    this.url = `http://127.0.0.1:${this.#listener.addr.port}`;
    this.#accepting = this.#accept();
  }

  /** Returns a scripted server that listens on a free ephemeral port of 127.0.0.1. */
  static start(script: Script): ScriptedServer {
    return new ScriptedServer(script);
  }

  /**
   * Closes the listener and all connections of the scripted server, and waits for the scripts.
   *
   * @throws {unknown} The first error of a script or of a malformed request, unless its connection
   * was cut before.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#disposed) this.#listener.close();
    this.#disposed = true;
    await this.#accepting;
    for (const abort of this.#open.keys()) abort.abort();
    await Promise.all(this.#open.values());
    if (this.#errors.length > 0) throw this.#errors.shift();
  }

  async #accept(): Promise<void> {
    for await (const conn of this.#listener) {
      const abort = new AbortController();
      abort.signal.addEventListener("abort", () => conn.close(), { once: true });
      this.#open.set(abort, this.#serve(conn, abort).finally(() => this.#open.delete(abort)));
    }
  }

  async #serve(conn: Deno.TcpConn, abort: AbortController): Promise<void> {
    const reader = new HttpRequestReader(conn);
    try {
      for (let state = "ended"; state === "ended";) {
        const request = await reader.next();
        if (!request) break;
        const exchange = new ScriptedExchange(request, conn, abort);
        await this.#script(exchange, this.requests.push(request) - 1);
        state = exchange.state;
        if (state === "open") await reader.untilClosed();
      }
    } catch (error) {
      if (!abort.signal.aborted) this.#errors.push(error);
    } finally {
      abort.abort();
    }
  }
}

function toBytes(piece: string | Uint8Array): Uint8Array {
  return typeof piece === "string" ? new TextEncoder().encode(piece) : piece;
}
