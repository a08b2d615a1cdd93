import type { SocketClose, WebSocketLike } from "../../lib/client/transport/dial.ts";
import type { SocketCalls, SocketRequest } from "../../lib/client/calls/socket_calls.ts";

/** A WebSocket whose other side is the test. */
export class FakeSocket implements WebSocketLike {
  readonly closed: Promise<SocketClose>;
  /** The sent messages, in order. */
  readonly sent: Uint8Array[] = [];
  /** The number of received messages. */
  received = 0;
  /** Reports whether the object was disposed. */
  disposed = false;
  readonly #closed = Promise.withResolvers<SocketClose>();
  readonly #script: (Uint8Array | Error)[];
  #arrived: PromiseWithResolvers<void> | undefined;
  #ended = false;

  /**
   * Creates a socket that receives the given messages; an error among them breaks the connection.
   */
  constructor(readonly protocol: string, ...script: (Uint8Array | Error)[]) {
    this.closed = this.#closed.promise;
    this.#script = script;
  }

  /** Receives one message. */
  push(message: Uint8Array): void {
    this.#script.push(message);
    this.#arrived?.resolve();
  }

  /** The other side ends it. */
  end(): void {
    this.#ended = true;
    this.#arrived?.resolve();
  }

  async receive(): Promise<Uint8Array | undefined> {
    for (;;) {
      const next = this.#script.shift();
      if (next instanceof Error) throw next;
      if (next) {
        this.received++;
        return next;
      }
      if (this.#ended) return undefined;
      this.#arrived = Promise.withResolvers();
      await this.#arrived.promise;
    }
  }

  send(message: Uint8Array): Promise<void> {
    this.sent.push(message.slice());
    return Promise.resolve();
  }

  close(): void {
    this[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.disposed = true;
    this.end();
    this.#closed.resolve({ code: 1000, reason: "" });
  }
}

/** A client that opens the sockets given, and keeps what it was asked. */
export function fakeSocketCalls(
  ...sockets: WebSocketLike[]
): SocketCalls & { readonly requests: SocketRequest[] } {
  const requests: SocketRequest[] = [];
  return {
    requests,
    connect: (request) => {
      requests.push(request);
      const socket = sockets.shift();
      return socket ? Promise.resolve(socket) : Promise.reject(new Error("no more sockets"));
    },
  };
}

/** One message on a channel. */
export function onChannel(channel: number, data: string | readonly number[] = ""): Uint8Array {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  return Uint8Array.of(channel, ...bytes);
}
