import { Buffer } from "node:buffer";
import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";

/** The address and credentials of a {@linkcode RawConnection}. */
export interface ConnectionOptions {
  readonly hostname: string;
  readonly port: number;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

const HEAD_END = Buffer.from("\r\n\r\n");
const LAST_CHUNK = Buffer.from("\r\n0\r\n\r\n");

/**
 * An HTTP/1.1 connection over TLS with the least that a client can do, so that a bench measures the
 * server: one request at a time, bodies are counted and dropped.
 */
export class RawConnection {
  readonly #socket: TLSSocket;
  readonly #host: string;
  #received: Buffer = Buffer.alloc(0);
  #onData: () => void = () => {};

  private constructor(socket: TLSSocket, host: string) {
    this.#socket = socket;
    this.#host = host;
    socket.setNoDelay(true);
    socket.on("data", (bytes: Buffer) => {
      this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes]);
      this.#onData();
    });
  }

  /** Opens a TLS connection to a server. */
  static async open(options: ConnectionOptions): Promise<RawConnection> {
    const { hostname, port, ca, cert, key } = options;
    const socket = connect({ host: hostname, port, ca, cert, key, ALPNProtocols: ["http/1.1"] });
    await once(socket, "secureConnect");
    return new RawConnection(socket, `${hostname}:${port}`);
  }

  /**
   * Sends a request on the connection; resolves with the status code once the whole response has
   * arrived.
   */
  call(
    method: string,
    path: string,
    body?: unknown,
    type: string = "application/json",
  ): Promise<number> {
    this.#received = Buffer.alloc(0);
    return new Promise((resolve, reject) => {
      this.#socket.once("close", reject);
      this.#onData = () => {
        const code = this.#answered();
        if (code === undefined) return;
        this.#socket.off("close", reject);
        resolve(code);
      };
      this.#send(method, path, body === undefined ? "" : JSON.stringify(body), type);
    });
  }

  /**
   * Sends a GET of a watch, whose response does not end; `onData` is called for each event that
   * arrives.
   */
  stream(path: string, onData: () => void): void {
    this.#onData = () => {
      const text = this.#received.toString("latin1");
      this.#received = Buffer.alloc(0);
      for (const _ of text.matchAll(/"type":"/g)) onData();
    };
    this.#send("GET", path, "", "");
  }

  /** Closes the connection. */
  close(): void {
    this.#socket.removeAllListeners("close");
    this.#socket.destroy();
  }

  #send(method: string, path: string, body: string, type: string): void {
    const headers = body === ""
      ? ""
      : `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    this.#socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: ${this.#host}\r\nUser-Agent: bench/1\r\n${headers}\r\n${body}`,
    );
  }

  /** Returns the status code of the response; `undefined` while the response is not complete. */
  #answered(): number | undefined {
    const bytes = this.#received;
    const headEnd = bytes.indexOf(HEAD_END);
    if (headEnd < 0) return undefined;
    const head = bytes.toString("latin1", 0, headEnd);
    const length = /^content-length: (\d+)/im.exec(head)?.[1];
    const whole = length === undefined
      ? bytes.subarray(headEnd).includes(LAST_CHUNK)
      : bytes.length >= headEnd + 4 + Number(length);
    return whole ? Number(head.slice(9, 12)) : undefined;
  }
}
