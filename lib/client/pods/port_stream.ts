import { type ObjectKey, Pod } from "@xca/apimachinery/meta";
import type { WebSocketLike } from "../transport/dial.ts";
import { objectPath } from "../calls/paths.ts";
import { ReadPipe } from "./read_pipe.ts";
import type { SocketCalls } from "../calls/socket_calls.ts";
import { StreamBrokenError } from "../errors/unreachable_error.ts";

const PROTOCOL = "v4.channel.k8s.io";
const DATA = 0;
const ERROR = 1;

/** The largest WebSocket message to a pod's port, in bytes, without the byte of the channel. */
const MESSAGE_BYTES = 32 * 1024;

/**
 * A connection to a port of a pod: the result of {@linkcode podPort}. Disposing it closes the
 * connection.
 */
export interface PortStream extends Disposable {
  /**
   * The stream of data from the pod's port. When the port cannot be reached, or the connection is
   * lost, reads reject with a `StreamBrokenError`, after the data that arrived.
   */
  readonly readable: ReadableStream<Uint8Array>;
  /**
   * The stream of data to the pod's port. Closing the stream sends nothing: the protocol cannot
   * signal the end of the input, which the pod sees only when the connection is closed. Aborting
   * the stream closes the connection.
   */
  readonly writable: WritableStream<Uint8Array>;
  /**
   * A promise that resolves when the connection to the pod's port has ended, for any reason. Never
   * rejects.
   */
  readonly closed: Promise<void>;
}

/**
 * Connects to a port of a pod through the API server, and returns the connection.
 *
 * The connection uses the WebSocket protocol `v4.channel.k8s.io` of kubelets and container
 * runtimes, which all API servers forward; kubectl uses a protocol that wraps SPDY.
 *
 * @throws {ApiError} When the server refuses.
 * @throws {TypeError} When the port is not a whole number from 1 to 65535.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { podPort } from "@xca/operator/client";
 *
 * const port = [144, 31]; // 8080; each channel begins with its port
 * const messages = [[0, ...port], [1, ...port], [0, ...new TextEncoder().encode("hello")]];
 * const socket = { // what the server sends; a program has a client from createClient()
 *   protocol: "v4.channel.k8s.io",
 *   closed: Promise.resolve({ code: 1000, reason: "" }),
 *   receive: () => Promise.resolve(messages.length > 0 ? new Uint8Array(messages.shift()!) : undefined),
 *   send: () => Promise.resolve(),
 *   close() {},
 *   [Symbol.dispose]() {},
 * };
 * const client = { connect: () => Promise.resolve(socket) };
 *
 * using stream = await podPort(client, "default/web-0", 8080);
 * assert.equal(await new Response(stream.readable).text(), "hello");
 * ```
 */
export async function podPort(
  client: SocketCalls,
  key: ObjectKey,
  port: number,
  options: {
    /** The signal that ends the connection to the pod's port. */
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<PortStream> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new TypeError(
      `Cannot connect to port ${port} of pod ${key}: a port is a whole number from 1 to 65535`,
    );
  }
  const socket = await client.connect({
    path: objectPath(Pod, key, "portforward"),
    query: { ports: port },
    protocols: [PROTOCOL],
    signal: options.signal,
  });
  return new ChannelPort(socket, `connection to port ${port} of pod ${key}`);
}

class ChannelPort implements PortStream {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  readonly closed: Promise<void>;
  readonly #socket: WebSocketLike;
  readonly #what: string;

  constructor(socket: WebSocketLike, what: string) {
    this.#socket = socket;
    this.#what = what;
    const pipe = new ReadPipe();
    this.readable = pipe.readable;
    this.writable = new WritableStream({
      write: (chunk) => this.#send(chunk),
      abort: () => socket[Symbol.dispose](),
    });
    this.closed = this.#pump(pipe);
  }

  [Symbol.dispose](): void {
    this.#socket[Symbol.dispose]();
  }

  async #send(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.byteLength; at += MESSAGE_BYTES) {
      const data = chunk.subarray(at, at + MESSAGE_BYTES);
      const message = new Uint8Array(data.byteLength + 1);
      message[0] = DATA;
      message.set(data, 1);
      await this.#socket.send(message);
    }
  }

  async #pump(pipe: ReadPipe): Promise<void> {
    const decoder = new TextDecoder();
    // The first two bytes of each channel are the port, the lower byte first.
    const toSkip = [2, 2];
    let failure = "";
    try {
      for (let m = await this.#socket.receive(); m; m = await this.#socket.receive()) {
        const channel = m[0]!;
        if (channel !== DATA && channel !== ERROR) continue;
        const skipped = Math.min(toSkip[channel]!, m.byteLength - 1);
        toSkip[channel]! -= skipped;
        const data = m.subarray(1 + skipped);
        if (channel === DATA) await pipe.write(data);
        else failure += decoder.decode(data, { stream: true });
        if (failure !== "") break;
      }
      if (failure !== "") pipe.fail(new StreamBrokenError(this.#what, failure.trim()));
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      pipe.fail(new StreamBrokenError(this.#what, reason, { cause }));
    } finally {
      pipe.close();
      this.#socket[Symbol.dispose]();
    }
  }
}
