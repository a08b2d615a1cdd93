import type { Socket } from "node:net";
import { type Clock, systemHost, type Timer } from "@xca/apimachinery/base";

/** The silence of a connection after which TCP probes the peer, in milliseconds. */
export const KEEP_ALIVE_MS = 25_000;

/** The interval of TCP probes to a peer that does not answer, in milliseconds. */
const PROBE_MS = 2_500;

/**
 * The interface of a socket that {@linkcode KeepAlive} uses, which sets TCP keep-alive to detect an
 * unreachable peer.
 */
export type KeptSocket = Pick<Socket, "bytesRead" | "setKeepAlive" | "once" | "destroyed">;

/** The record of a socket's last activity. */
interface Silence {
  bytesRead: number;
  sinceMs: number;
}

/**
 * The TCP keep-alive of sockets, which makes TCP end a connection within 55 seconds when the peer
 * is unreachable: its machine has no power, or a load balancer or a NAT has dropped the connection.
 *
 * The runtime (Deno 2.9) sets when TCP begins to probe (`TCP_KEEPIDLE`), but neither the interval
 * nor the limit (`TCP_KEEPINTVL`, `TCP_KEEPCNT`, `TCP_USER_TIMEOUT`): with the defaults of Linux,
 * 75 s and 9 probes, that takes 12 minutes. But Linux probes at once whenever the option is set on
 * a connection that has been silent for longer (`tcp_sock_set_keepidle_locked`), and counts the
 * unanswered probes. So this class sets the option again every two and a half seconds on a silent
 * connection: a living peer answers the first probe and is left alone for another 25 s; an
 * unreachable one fails the ninth, and the connection ends with ETIMEDOUT.
 *
 * Other systems restart the wait when the option is set, so the class sets it once there.
 */
export class KeepAlive implements Disposable {
  readonly #clock: Clock;
  readonly #repeats: boolean;
  readonly #sockets = new Map<KeptSocket, Silence>();
  #timer: Timer | undefined;
  /**
   * Reports whether the present check sets the longer one of two TCP keep-alive delays (26 s, not
   * 25 s): the delay alternates, since the runtime may skip a call that changes nothing.
   */
  #odd = false;

  constructor({ clock, os = systemHost.os }: { readonly clock: Clock; readonly os?: string }) {
    this.#clock = clock;
    this.#repeats = os === "linux";
  }

  /** Starts the TCP keep-alive of a socket, until the socket is closed. */
  add(socket: KeptSocket): void {
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    if (!this.#repeats || socket.destroyed) return;
    const { bytesRead } = socket;
    this.#sockets.set(socket, { bytesRead, sinceMs: this.#clock.monotonicMs() });
    socket.once("close", () => this.#remove(socket));
    this.#timer ??= this.#next();
  }

  #next(): Timer {
    return this.#clock.after(PROBE_MS, () => this.#check()).unref();
  }

  #check(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#odd = !this.#odd;
    for (const [socket, silence] of this.#sockets) {
      const { bytesRead } = socket;
      if (bytesRead !== silence.bytesRead) {
        silence.bytesRead = bytesRead;
        silence.sinceMs = nowMs;
      } else if (nowMs - silence.sinceMs >= KEEP_ALIVE_MS) {
        socket.setKeepAlive(true, KEEP_ALIVE_MS + (this.#odd ? 1_000 : 0));
      }
    }
    this.#timer = this.#next();
  }

  #remove(socket: KeptSocket): void {
    this.#sockets.delete(socket);
    if (this.#sockets.size === 0) this[Symbol.dispose]();
  }

  /** Stops the timer that sets TCP keep-alive again, for all sockets. */
  [Symbol.dispose](): void {
    this.#sockets.clear();
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }
}
