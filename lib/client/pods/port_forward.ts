import { attempt } from "@xca/apimachinery/internal/base";
import { getLogger } from "@logtape/logtape";
import {
  type Clock,
  delay,
  errorText,
  type LinkedAbort,
  linkedAbort,
  systemClock,
} from "@xca/apimachinery/base";
import type { ObjectKey } from "@xca/apimachinery/meta";
import { podPort, type PortStream } from "./port_stream.ts";
import type { SocketCalls } from "../calls/socket_calls.ts";

const logger = getLogger(["xca", "client", "port-forward"]);

/**
 * The time that a caller of a forwarded port that has closed its sending side still receives data,
 * in milliseconds: the protocol cannot signal the end of the input to the pod.
 */
const HALF_CLOSED_MS = 30_000;
/** The largest number of bytes that port forwarding reads from a caller at once. */
const READ_BYTES = 32 * 1024;

/** Options of {@linkcode podPortForward}, which forwards a local port to a pod. */
export type PodPortForwardOptions = Parameters<typeof podPortForward>[2];

/**
 * A port of this machine that is forwarded to a port of a pod: the result of {@linkcode
 * podPortForward}. Disposing it ends the port forwarding and closes all its connections.
 */
export interface PortForward extends AsyncDisposable {
  /** The local address on which the port forwarding listens. */
  readonly hostname: string;
  /** The local port on which the port forwarding listens. */
  readonly port: number;
  /**
   * A promise that resolves when the port forwarding has ended, by its signal, by disposing or by a
   * failure of the listener, and all its connections are closed. Never rejects.
   */
  readonly closed: Promise<void>;
}

/**
 * Listens on a port of this machine and forwards each connection to a port of a pod through the API
 * server, as `kubectl port-forward` does; returns a handle that can end the port forwarding. An
 * unreachable pod, or an invalid port of it, is detected only at the first connection.
 *
 * A caller that closes its sending side receives data for 30 more seconds at most, since the
 * protocol cannot signal this to the pod.
 *
 * @throws {Error} When the port cannot be listened on.
 * @throws {unknown} The reason of the signal, when it is aborted already.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, podPortForward } from "@xca/operator/client";
 *
 * using client = createClient({ server: "https://example.invalid" });
 * await using forward = await podPortForward(client, "default/web-0", { port: 8080 });
 * assert.equal(forward.hostname, "127.0.0.1");
 * assert(forward.port > 0); // await fetch(`http://127.0.0.1:${forward.port}/`)
 * ```
 */
export function podPortForward(
  client: SocketCalls,
  key: ObjectKey,
  options: {
    /** The port of the pod to forward to. */
    readonly port: number;
    /** The port of this machine to listen on; 0 chooses a free one. @default {0} */
    readonly localPort?: number | undefined;
    /** The address of this machine that the port forwarding listens on. @default {"127.0.0.1"} */
    readonly hostname?: string | undefined;
    /** The signal that ends the port forwarding. */
    readonly signal?: AbortSignal | undefined;
    /**
     * The callback that receives the failure of a forwarded connection, after which the other
     * connections continue, or that of the listener, which ends the port forwarding. Errors of the
     * callback are ignored.
     *
     * @default writes it to the log
     */
    readonly onError?: ((error: unknown) => void) | undefined;
    /** The clock for the port forwarding's deadlines. @default {systemClock} */
    readonly clock?: Clock | undefined;
  },
): Promise<PortForward> {
  const { localPort = 0, hostname = "127.0.0.1" } = options;
  try {
    options.signal?.throwIfAborted();
    const listener = Deno.listen({ hostname, port: localPort });
    return Promise.resolve(new Forward(client, key, options, listener));
  } catch (error) {
    return Promise.reject(error);
  }
}

class Forward implements PortForward {
  readonly hostname: string;
  readonly port: number;
  readonly closed: Promise<void>;
  readonly #client: SocketCalls;
  readonly #key: ObjectKey;
  readonly #options: PodPortForwardOptions;
  readonly #listener: Deno.TcpListener;
  readonly #link: LinkedAbort;

  constructor(
    client: SocketCalls,
    key: ObjectKey,
    options: PodPortForwardOptions,
    listener: Deno.TcpListener,
  ) {
    this.#client = client;
    this.#key = key;
    this.#options = options;
    this.#listener = listener;
    const { hostname, port } = listener.addr;
    this.hostname = hostname;
    this.port = port;
    this.#link = linkedAbort({ signals: [options.signal] });
    this.#link.signal.addEventListener("abort", () => closeQuietly(listener), { once: true });
    this.closed = this.#accept();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#link.abort(new Error("the port-forward was closed"));
    await this.closed;
  }

  async #accept(): Promise<void> {
    const open = new Set<Promise<void>>();
    try {
      for await (const connection of this.#listener) {
        const one = this.#serve(connection).finally(() => open.delete(one));
        open.add(one);
      }
    } catch (error) {
      if (!this.#link.signal.aborted) this.#tell(error);
    }
    closeQuietly(this.#listener);
    await Promise.all(open);
    this.#link[Symbol.dispose]();
  }

  /** Forwards one connection to the pod's port. Never rejects. */
  async #serve(connection: Deno.TcpConn): Promise<void> {
    using link = linkedAbort({ signals: [this.#link.signal] });
    const { signal } = link;
    try {
      using port = await podPort(this.#client, this.#key, this.#options.port, { signal });
      await this.#join(connection, port, link);
    } catch (error) {
      if (!this.#link.signal.aborted) this.#tell(error);
    } finally {
      closeQuietly(connection);
    }
  }

  async #join(connection: Deno.TcpConn, port: PortStream, link: LinkedAbort): Promise<void> {
    const { clock = systemClock } = this.#options;
    const { signal } = link;
    const close = (): void => {
      closeQuietly(connection);
      port[Symbol.dispose]();
    };
    if (signal.aborted) close();
    signal.addEventListener("abort", close, { once: true });
    // The readable stream of a connection closes the whole connection at the end of the input, so
    // the input is read without the stream.
    const sending = sendAll(connection, port.writable)
      .then(() => delay(HALF_CLOSED_MS, { signal, clock }))
      .then(() => link.abort(ended()), () => {});
    try {
      for await (const chunk of port.readable) await writeAll(connection, chunk);
    } catch (error) {
      if (!signal.aborted && !isGonePeer(error)) throw error;
    } finally {
      signal.removeEventListener("abort", close);
      close();
      link.abort(ended());
      await sending;
    }
  }

  #tell(error: unknown): void {
    const { onError } = this.#options;
    if (onError) return void attempt(() => onError(error));
    logger.error("a connection to port {port} of pod {pod} failed: {error}", {
      port: this.#options.port,
      pod: this.#key,
      error: errorText(error),
    });
  }
}

/**
 * Returns the reason with which port forwarding closes a tunnel. The error is created on demand,
 * since its creation at module level would delay each start by 5 ms.
 */
function ended(): Error {
  return new Error("one side has ended");
}

/**
 * Sends the input of a local connection to the pod's port until the caller closes its sending side.
 */
async function sendAll(
  connection: Deno.TcpConn,
  writable: WritableStream<Uint8Array>,
): Promise<void> {
  const writer = writable.getWriter();
  const buffer = new Uint8Array(READ_BYTES);
  for (;;) {
    const size = await connection.read(buffer);
    if (size === null) return;
    await writer.write(buffer.slice(0, size));
  }
}

async function writeAll(connection: Deno.TcpConn, chunk: Uint8Array): Promise<void> {
  for (let rest = chunk; rest.byteLength > 0;) {
    rest = rest.subarray(await connection.write(rest));
  }
}

/** Reports whether an error means that the caller of a forwarded port disconnected. */
function isGonePeer(error: unknown): boolean {
  return error instanceof Deno.errors.BrokenPipe || error instanceof Deno.errors.ConnectionReset ||
    error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted;
}

function closeQuietly(resource: Deno.TcpConn | Deno.TcpListener): void {
  try {
    resource.close();
  } catch {
    // The connection or the listener is closed already.
  }
}
