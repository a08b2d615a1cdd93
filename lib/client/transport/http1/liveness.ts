import { type Clock, delay, type Timer } from "@xca/apimachinery/base";
import { SilentPeerError } from "./silent_peer_error.ts";
import type { HttpConnection, HttpRequest } from "./connection.ts";

/**
 * The silence after which a connection is suspected, in milliseconds, like `ReadIdleTimeout` of
 * client-go's HTTP/2.
 */
const SILENT_MS = 30_000;
/** The deadline of a liveness probe, in milliseconds (`PingTimeout` of client-go's HTTP/2). */
const ANSWER_MS = 15_000;
/** The interval between liveness checks of the connections, in milliseconds. */
const CHECK_MS = 3_000;
/**
 * The delay before the first liveness check after a connection is added while none is observed, in
 * milliseconds.
 */
const FIRST_CHECK_MS = 1_000;
/**
 * The deadline of a liveness probe, as a number of checks of the connections, so that a suspension
 * of the process does not count as silence of the server.
 */
const ANSWER_CHECKS = ANSWER_MS / CHECK_MS;
/** The pause before a liveness probe that could not be sent is repeated, in milliseconds. */
const RETRY_MS = 1_000;

/**
 * The pattern of the names of headers that belong to one request and are not repeated by a liveness
 * probe.
 */
const OWN = /^(accept|accept-encoding|connection|content-.*)$/i;

/** Options of the class {@linkcode Liveness}, which probes silent connections. */
export interface LivenessOptions {
  /** The function that opens the connection of the liveness probes. */
  readonly connect: (signal: AbortSignal) => Promise<HttpConnection>;
  /** The request target of the liveness probe: a path, or an absolute URL for a proxy. */
  readonly target: string;
  /** The clock for the intervals of liveness checks. */
  readonly clock: Clock;
}

/** The state that liveness checks keep about one HTTP connection in use. */
interface Peer {
  bytesRead: number;
  /**
   * The time on the monotonic clock, in milliseconds, of the last check that found new bytes on the
   * observed connection, or its reading paused; at first that of its addition.
   */
  heardMs: number;
  /**
   * Reports whether the observed connection carries a response stream, such as a watch, which may
   * be silent for long.
   */
  stream: boolean;
}

/**
 * Liveness checks of the connections to a server. The checks detect within 48 seconds that the
 * server is unreachable although its connections are open, as the pings of HTTP/2 do for client-go.
 *
 * While requests wait for a silent server, this class sends a small request (the liveness probe) on
 * a separate connection; any response shows that the server is alive. When none arrives within 15
 * s, the class closes the connections that have been silent for 30 s and since the probe, with a
 * SilentPeerError. The connection of the probes is as old as the first stream, so that a proxy that
 * drops old connections drops it too. A single connection that a proxy drops while it serves others
 * goes unnoticed.
 */
export class Liveness implements Disposable {
  readonly #options: LivenessOptions;
  readonly #peers = new Map<HttpConnection, Peer>();
  #own: HttpConnection | undefined;
  #timer: Timer | undefined;
  /** The controller that aborts the liveness probe in progress; `undefined` when there is none. */
  #asking: AbortController | undefined;
  /** The number of checks since the liveness probe was sent. */
  #askedChecks = 0;
  /**
   * The time on the monotonic clock at which the last answered liveness probe was sent, in
   * milliseconds.
   */
  #livedMs = -Infinity;

  constructor(options: LivenessOptions) {
    this.#options = options;
  }

  /**
   * Starts the liveness checks of a connection, for as long as a request uses it. `stream` is true
   * for a response that may be silent for long, such as a watch; the connection of the probes is
   * kept while there is such a response.
   */
  add(connection: HttpConnection, { stream }: { readonly stream: boolean }): void {
    const { bytesRead } = connection;
    this.#peers.set(connection, { bytesRead, heardMs: this.#nowMs(), stream });
    this.#timer ??= this.#after(FIRST_CHECK_MS);
  }

  #after(delayMs: number): Timer {
    return this.#options.clock.after(delayMs, () => void this.#check()).unref();
  }

  #nowMs(): number {
    return this.#options.clock.monotonicMs();
  }

  async #check(): Promise<void> {
    // Bytes that have arrived are read before the next timer, however late this timer is.
    await Promise.resolve();
    if (!this.#timer) return;
    this.#timer = undefined;
    if (this.#asking && ++this.#askedChecks >= ANSWER_CHECKS) {
      this.#asking.abort(new Error(`no answer within ${ANSWER_MS} ms`));
    }
    this.#look();
    const streams = [...this.#peers.values()].some(({ stream }) => stream);
    if (!streams && !this.#asking) this.#close();
    if (this.#peers.size === 0) return;
    const nowMs = this.#nowMs();
    const doubtful = [...this.#peers.values()].some(({ heardMs }) =>
      nowMs - Math.max(heardMs, this.#livedMs) >= SILENT_MS
    );
    if (!this.#asking && (doubtful || streams && !this.#own)) void this.#ask();
    this.#timer = this.#after(CHECK_MS);
  }

  /**
   * Records which observed connections received bytes, or are paused, which counts the same, and
   * drops those without a request.
   */
  #look(): void {
    const nowMs = this.#nowMs();
    for (const [connection, peer] of this.#peers) {
      const { bytesRead } = connection;
      if (!connection.busy) this.#peers.delete(connection);
      else if (bytesRead !== peer.bytesRead || connection.paused) {
        peer.bytesRead = bytesRead;
        peer.heardMs = nowMs;
      }
    }
  }

  async #ask(): Promise<void> {
    const asked = [...this.#peers.keys()].find(({ asked }) => asked)?.asked;
    if (!asked) return;
    const request = this.#question(asked);
    const askedMs = this.#nowMs();
    const asking = this.#asking = new AbortController();
    this.#askedChecks = 0;
    const answered = await this.#answered(request, asking.signal);
    if (this.#asking !== asking) return;
    this.#asking = undefined;
    if (answered) this.#livedMs = askedMs;
    else this.#giveUp(askedMs);
  }

  /** Returns a liveness probe with the headers of a request, which authenticate it. */
  #question({ headers }: HttpRequest): HttpRequest {
    return {
      method: "GET",
      target: this.#options.target,
      headers: [
        ...headers.filter(([name]) => !OWN.test(name)),
        ["Accept", "application/json"],
        ["Connection", "keep-alive"],
      ],
    };
  }

  /**
   * Sends a liveness probe, again after each failure, until any response arrives, which gives true,
   * or the signal aborts, which gives false.
   */
  async #answered(request: HttpRequest, signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      try {
        const own = this.#own ??= await this.#made(signal);
        if (signal.aborted) break;
        await answer(own, request, signal);
        return true;
      } catch {
        this.#close();
        await delay(RETRY_MS, { signal, clock: this.#options.clock }).catch(() => {});
      }
    }
    return false;
  }

  async #made(signal: AbortSignal): Promise<HttpConnection> {
    const own = await this.#options.connect(signal);
    own.hold(false);
    return own;
  }

  /**
   * Closes the connection of the liveness probes, and the observed connections that were silent
   * since the probe, and long enough to be suspected.
   */
  #giveUp(askedMs: number): void {
    this.#close();
    this.#look();
    const nowMs = this.#nowMs();
    for (const [connection, { heardMs }] of this.#peers) {
      if (heardMs > askedMs || nowMs - heardMs < SILENT_MS) continue;
      this.#peers.delete(connection);
      connection.destroy(new SilentPeerError(nowMs - heardMs, ANSWER_MS));
    }
  }

  #close(): void {
    this.#own?.destroy();
    this.#own = undefined;
  }

  /**
   * Stops the liveness checks of a closed connection, and all checks when no other connection is
   * observed.
   */
  remove(connection: HttpConnection): void {
    this.#peers.delete(connection);
    if (connection === this.#own) this.#own = undefined;
    if (this.#peers.size === 0) this[Symbol.dispose]();
  }

  /** Stops all liveness checks. */
  [Symbol.dispose](): void {
    const asking = this.#asking;
    this.#asking = undefined;
    asking?.abort(new Error("nothing waits for the server"));
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    this.#peers.clear();
    this.#close();
  }
}

/**
 * Sends a liveness probe, and resolves when any response to it has been read. Closes the connection
 * when the signal aborts.
 */
async function answer(
  connection: HttpConnection,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<void> {
  const onAbort = (): void => connection.destroy(signal.reason);
  signal.addEventListener("abort", onAbort);
  try {
    const { body } = await connection.send(request);
    if (!(body instanceof Uint8Array)) { while (await body.read()); }
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
