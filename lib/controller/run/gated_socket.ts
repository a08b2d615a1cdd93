import type { SocketClose, WebSocketLike } from "../../client/transport/dial.ts";

/**
 * A wrapper of a WebSocket of a reconcile run: `send` calls the write gate first, and rejects with
 * its error, since a message may be a command. Received messages do not pass the gate.
 */
export class GatedSocket implements WebSocketLike {
  readonly #socket: WebSocketLike;
  readonly #admit: () => void;

  /**
   * Wraps an open WebSocket.
   *
   * @param admit A function that is called before each sent message, and throws when the run may
   * send none, such as after the end of its leadership.
   */
  constructor(socket: WebSocketLike, admit: () => void) {
    this.#socket = socket;
    this.#admit = admit;
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  get closed(): Promise<SocketClose> {
    return this.#socket.closed;
  }

  receive(): Promise<Uint8Array | undefined> {
    return this.#socket.receive();
  }

  async send(message: Uint8Array): Promise<void> {
    this.#admit();
    await this.#socket.send(message);
  }

  close(code?: number, reason?: string): void {
    this.#socket.close(code, reason);
  }

  [Symbol.dispose](): void {
    this.#socket[Symbol.dispose]();
  }
}
