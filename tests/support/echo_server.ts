import https from "node:https";
import type { AddressInfo } from "node:net";
import type { PemPair } from "../../lib/apimachinery/pki/mod.ts";
import { webSocketServer } from "./stub_websocket.ts";

/** A server on loopback that takes WebSockets and sends back each message. */
export class EchoServer implements AsyncDisposable {
  readonly #server: https.Server;
  readonly #sockets = webSocketServer();

  constructor(pair: PemPair) {
    this.#server = https.createServer({ ...pair });
    this.#server.on("upgrade", (request, socket, head) => {
      this.#sockets.handleUpgrade(request, socket, head, (ws) => {
        ws.on("message", (data) => ws.send(data));
      });
    });
  }

  /** Listens; gives `HOST:PORT`. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
