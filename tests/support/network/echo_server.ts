import https from "node:https";
import type { AddressInfo } from "node:net";
import type { PemPair } from "../../../lib/apimachinery/pki/mod.ts";
import { webSocketServer } from "../../../lib/cluster/kubelet/streams/web_socket_streams.ts";

const webSockets = await webSocketServer();

/** A server on loopback that accepts WebSockets and sends back each message. */
export class EchoServer implements AsyncDisposable {
  readonly #server: https.Server;

  constructor(pair: PemPair) {
    this.#server = https.createServer({ ...pair });
    this.#server.on("upgrade", (request, socket, head) => {
      webSockets.handleUpgrade(request, socket, head, (ws) => {
        ws.on("message", (data) => ws.send(data));
      });
    });
  }

  /** Starts to listen, and returns the address `HOST:PORT`. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
