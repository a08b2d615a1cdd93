/**
 * A client that sends reviews over many connections at once, for `webhook_bench.ts`: it writes
 * prepared bytes, and checks only that an answer is complete and allows the request, so that it
 * costs little beside the server.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { connect, type TLSSocket } from "node:tls";
import { TextLineStream } from "../support/text_lines.ts";
import { PodMaker } from "../support/realistic_pods.ts";
import { say } from "./say.ts";

const PATH = "/validate--v1-pod?timeout=10s";

/** Returns the bytes of an HTTP request with an AdmissionReview of a pod. */
function requestBytes(): Uint8Array {
  const group = "";
  const body = Buffer.from(JSON.stringify({
    kind: "AdmissionReview",
    apiVersion: "admission.k8s.io/v1",
    request: {
      uid: "0df28fbd-5f5f-11e8-bc74-36e6bb280816",
      kind: { group, version: "v1", kind: "Pod" },
      resource: { group, version: "v1", resource: "pods" },
      name: "web",
      namespace: "default",
      operation: "CREATE",
      userInfo: { username: "admin", groups: ["system:masters", "system:authenticated"] },
      object: new PodMaker(1).pod(0, 1),
      oldObject: null,
      dryRun: false,
      options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1" },
    },
  }));
  const head = `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

const request = requestBytes();

/** A TLS connection to a webhook server, which carries one review at a time. */
class Connection {
  readonly #socket: TLSSocket;
  #text = "";
  #answered: (() => void) | undefined;

  constructor(socket: TLSSocket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => this.#read(text));
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
    await new Promise<void>((resolve, reject) => {
      socket.once("secureConnect", () => resolve());
      socket.once("error", reject);
    });
    return new Connection(socket);
  }

  /** Sends a review, and returns the time to the end of its answer, in microseconds. */
  async review(): Promise<number> {
    const startMs = performance.now();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#answered = resolve;
    this.#socket.write(request);
    await promise;
    return (performance.now() - startMs) * 1_000;
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(text: string): void {
    this.#text += text;
    const end = this.#text.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(this.#text)?.[1]);
    if (this.#text.length < end + 4 + length) return;
    if (!this.#text.includes('"allowed":true')) throw new Error(`Refused: ${this.#text}`);
    this.#text = "";
    this.#answered?.();
  }
}

/** Sends `count` reviews over `width` connections, and returns the quantiles of their times. */
async function run(port: number, width: number, count: number): Promise<Record<string, number>> {
  const connections = await Promise.all(Array.from({ length: width }, () => Connection.open(port)));
  const times: number[] = [];
  const startMs = performance.now();
  await Promise.all(connections.map(async (connection) => {
    for (let at = 0; at < count / width; at++) times.push(await connection.review());
  }));
  const wallMs = performance.now() - startMs;
  for (const connection of connections) connection.close();
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)]!;
  return { p50Us: at(0.5), p99Us: at(0.99), wallMs };
}

const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream())
  .pipeThrough(new TextLineStream());
for await (const line of lines) {
  const [port = 0, width = 0, count = 0] = line.split(" ").map(Number);
  await say(JSON.stringify(await run(port, width, count)));
}
Deno.exit(0);
