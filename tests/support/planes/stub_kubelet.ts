/**
 * A kubelet for tests: HTTPS and WebSocket on loopback, with logs, exec, attach and
 * port-forward of containers that are scripts in this process. An API server reaches it as the node
 * that {@linkcode StubKubelet.node} describes.
 *
 * It declares the feature `ExtendWebSocketsToKubelet`, so that an API server from 1.36 on passes
 * WebSockets through as they are; older ones speak SPDY to it for all but `v4.channel.k8s.io`.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { V1Node } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import type { PemPair } from "../../../lib/apimachinery/pki/mod.ts";
import { Mailbox } from "../../../lib/cluster/kubelet/streams/mailbox.ts";
import { serveSpdy } from "../../../lib/cluster/kubelet/streams/spdy_streams.ts";
import {
  servePorts,
  serveRemote,
  type ServerSocket,
  webSocketServer,
} from "../../../lib/cluster/kubelet/streams/web_socket_streams.ts";
import type { PortStreams } from "../../../lib/cluster/kubelet/streams/stream_context.ts";
import { pipePort } from "./pipe_port.ts";
import { runStubProgram } from "./stub_programs.ts";

/** One line of a stub container's log. */
export interface StubLogLine {
  /** The time of the line, in RFC 3339. */
  readonly at: string;
  /** The text of the line, without the line end. */
  readonly text: string;
}

/** A request to a {@linkcode StubKubelet}. */
export interface KubeletRequest {
  /** The path, such as `/exec/default/web/app`. */
  readonly path: string;
  /** The query. */
  readonly query: URLSearchParams;
  /** The subprotocol, or the other transport of the streams. */
  readonly protocol: string;
}

const webSockets = await webSocketServer();

/** See the module. */
export class StubKubelet implements AsyncDisposable {
  /** The requests so far, in order. */
  readonly requests: KubeletRequest[] = [];
  /** The log of every container, by `namespace/pod/container`. */
  readonly logs: Map<string, StubLogLine[]> = new Map();
  /** The ports of every pod, each with the port of this machine that serves it. */
  readonly ports: Map<number, number> = new Map();
  /** The programs that still run. */
  readonly running: Set<Promise<unknown>> = new Set();
  readonly #followers = new Set<{ key: string; lines: Mailbox<StubLogLine> }>();
  readonly #sockets = new Set<Duplex>();
  readonly #server: https.Server;

  private constructor(pair: PemPair) {
    this.#server = https.createServer(
      { cert: pair.cert, key: pair.key },
      (request, response) => void this.#onRequest(request, response),
    );
    this.#server.on("connection", (socket: Duplex) => this.#keep(socket));
    this.#server.on("secureConnection", (socket: Duplex) => this.#keep(socket));
    this.#server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Uint8Array) => {
      this.#onUpgrade(request, socket, head);
    });
  }

  /** Starts a kubelet on a free port. */
  static async start(pair: PemPair): Promise<StubKubelet> {
    const kubelet = new StubKubelet(pair);
    await new Promise<void>((resolve) => kubelet.#server.listen(0, "127.0.0.1", resolve));
    return kubelet;
  }

  /** The port of the kubelet. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The Node by which an API server reaches the kubelet. Its status must be written separately. */
  node(name: string, options: { readonly webSockets?: boolean } = {}): V1Node {
    return {
      metadata: { name },
      status: {
        addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
        daemonEndpoints: { kubeletEndpoint: { Port: this.port } },
        ...(options.webSockets === false
          ? {}
          : { declaredFeatures: ["ExtendWebSocketsToKubelet"] }),
      },
    };
  }

  /** Appends a line to a container's log, and sends it to the followers. */
  log(key: string, line: StubLogLine): void {
    this.logs.set(key, [...this.logs.get(key) ?? [], line]);
    for (const follower of this.#followers) if (follower.key === key) follower.lines.put(line);
  }

  /** Ends the followed logs, as the end of their container would. */
  endLogs(): void {
    for (const follower of this.#followers) follower.lines.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.endLogs();
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await Promise.allSettled(this.running);
  }

  #keep(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => this.#sockets.delete(socket));
  }

  async #onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? "/", "https://kubelet");
    this.requests.push({ path: pathname, query, protocol: "http" });
    const [, verb, ...where] = pathname.split("/");
    if (verb !== "containerLogs") {
      response.writeHead(404).end("404 page not found\n");
      return;
    }
    await this.#writeLog(where.join("/"), query, response);
  }

  async #writeLog(key: string, query: URLSearchParams, response: ServerResponse): Promise<void> {
    const all = this.logs.get(query.get("previous") === "true" ? `${key} (previous)` : key);
    if (!all) {
      response.writeHead(400).end(`previous terminated container "${key}" not found`);
      return;
    }
    const since = query.get("sinceTime") ?? "";
    const tail = query.get("tailLines");
    const stamps = query.get("timestamps") === "true";
    const text = ({ at, text }: StubLogLine): string => `${stamps ? `${at} ` : ""}${text}\n`;
    const young = all.filter(({ at }) => at >= since);
    const lines = tail === null ? young : young.slice(Math.max(0, young.length - Number(tail)));
    const body = new TextEncoder().encode(lines.map(text).join(""));
    const limit = Number(query.get("limitBytes") ?? Infinity);
    response.writeHead(200, { "Content-Type": "text/plain", "Transfer-Encoding": "chunked" });
    response.write(body.subarray(0, limit));
    if (query.get("follow") === "true") {
      const follower = { key, lines: new Mailbox<StubLogLine>() };
      this.#followers.add(follower);
      response.on("close", () => follower.lines.close());
      for await (const line of follower.lines) response.write(text(line));
      this.#followers.delete(follower);
    }
    response.end();
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Uint8Array): void {
    const { pathname, searchParams: query } = new URL(request.url ?? "/", "https://kubelet");
    const [, verb = ""] = pathname.split("/");
    const run = (protocol: string, serve: () => Promise<void>): void => {
      this.requests.push({ path: pathname, query, protocol });
      const running = serve().catch(() => {}).finally(() => this.running.delete(running));
      this.running.add(running);
    };
    const remote = (io: Parameters<typeof runStubProgram>[0]): Promise<string> =>
      runStubProgram(io, verb === "attach" ? ["cat"] : query.getAll("command"));
    const context = {
      query,
      remote,
      forward: verb === "portForward",
      connect: (streams: PortStreams) => pipePort(streams, this.ports),
    };
    if (/^SPDY/i.test(request.headers.upgrade ?? "")) {
      return run("SPDY/3.1", () => serveSpdy(request, socket, context));
    }
    webSockets.handleUpgrade(request, socket, head, (ws: ServerSocket) => {
      run(ws.protocol, () => {
        if (ws.protocol === "SPDY/3.1+portforward.k8s.io") return serveSpdy(request, ws, context);
        return verb === "portForward" ? servePorts(ws, context) : serveRemote(ws, context);
      });
    });
  }
}
