// The protocol is that of `apiserver/pkg/server/egressselector/egress_selector.go, tunnelHTTPConnect`.
import { Pod } from "@xca/apimachinery/meta";
import type { ReadPod } from "../../pods/pod_state.ts";
import type { PortStreams } from "./stream_context.ts";
import type { KubeletSource } from "./kubelet_requests.ts";

/** The first byte of a request to open a connection to a pod: that of `CONNECT`. */
export const CONNECT_BYTE = 0x43;
/** The largest head of a request to open a connection to a pod, in bytes. */
const MAX_HEAD_BYTES = 8192;

/** A connection of a client that uses the kubelet as an HTTP proxy. */
export interface ProxyConnection {
  /** The bytes that the client of the proxy sends, until it closes its half of the connection. */
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly send: (bytes: Uint8Array) => Promise<void>;
}

/**
 * Serves a connection to a simulated pod, which an API server opens through the kubelet by
 * `CONNECT 10.244.1.2:8080 HTTP/1.1`. The kubelet refuses a connection to an address without a pod
 * or listener with status 502, and the reason in the wording of Go's errors, and a request of
 * another form with status 400.
 */
export async function proxyToPod(
  source: KubeletSource,
  connection: ProxyConnection,
): Promise<void> {
  const chunks = connection.bytes[Symbol.asyncIterator]();
  const head = await headOf(chunks);
  const [, ip, port] = /^CONNECT \[?([\d.:a-f]+?)\]?:(\d{1,5}) HTTP\/1\.1\r\n/i.exec(head.text) ??
    [];
  if (ip === undefined) {
    return await refuse(connection, 400, "the request is not for a port of a pod");
  }
  const pod = await podWithAddress(source, ip, Number(port));
  if (!pod) return await refuse(connection, 502, "connect: no route to host");
  const serve = serverOf(source, pod, Number(port));
  if (!serve) return await refuse(connection, 502, "connect: connection refused");
  await connection.send(new TextEncoder().encode("HTTP/1.1 200 OK\r\n\r\n"));
  await serve({ input: following(head.rest, chunks), output: connection.send });
}

/** A function that handles a connection to a port of a pod until the connection ends. */
type ServePort = (streams: Omit<PortStreams, "port">) => Promise<void>;

function serverOf(
  { handlers, ports }: KubeletSource,
  pod: ReadPod,
  port: number,
): ServePort | undefined {
  if (ports) return (streams) => ports.serve({ pod, port }, streams);
  const { portForward } = handlers;
  return portForward && (async (streams) => await portForward({ pod, port, ...streams }));
}

/**
 * Returns the running pod with an IP address; of several pods on the node's network, the first that
 * declares the port, or else the first. Returns `undefined` if no running pod has the address.
 */
async function podWithAddress(
  { client }: KubeletSource,
  ip: string,
  port: number,
): Promise<ReadPod | undefined> {
  const { items } = await client.list(Pod, { fieldSelector: `status.podIP=${ip}` });
  const running = (items as ReadPod[]).filter(({ status }) => status?.phase === "Running");
  const hasPort = ({ spec }: ReadPod): boolean =>
    spec?.containers.some(({ ports }) =>
      ports?.some(({ containerPort }) => containerPort === port)
    ) ?? false;
  return running.find(hasPort) ?? running[0];
}

/**
 * Reads the head of a proxy request; returns its text with the bytes that follow it. The text is
 * empty if the head is incomplete or too long.
 */
async function headOf(
  chunks: AsyncIterator<Uint8Array>,
): Promise<{ readonly text: string; readonly rest: Uint8Array }> {
  let bytes = new Uint8Array(0);
  while (bytes.byteLength < MAX_HEAD_BYTES) {
    const { done, value } = await chunks.next();
    if (done) break;
    const joined = new Uint8Array(bytes.byteLength + value.byteLength);
    joined.set(bytes);
    joined.set(value, bytes.byteLength);
    bytes = joined;
    const text = new TextDecoder("latin1").decode(bytes);
    const end = text.indexOf("\r\n\r\n");
    if (end >= 0) return { text: text.slice(0, end + 4), rest: bytes.subarray(end + 4) };
  }
  return { text: "", rest: bytes };
}

async function* following(
  rest: Uint8Array,
  chunks: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (rest.byteLength > 0) yield rest;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}

async function refuse({ send }: ProxyConnection, status: number, why: string): Promise<void> {
  const body = new TextEncoder().encode(why);
  const head = `HTTP/1.1 ${status} Refused\r\nContent-Length: ${body.byteLength}\r\n\r\n`;
  await send(new TextEncoder().encode(head + why));
}
