import type { OptionNames } from "../base/option_names.ts";

/**
 * Options of an HTTP server of this library (webhooks, metrics, health, the embedded API server):
 * limits on the sizes, times and number of its clients' requests and connections.
 */
export interface ServerLimits {
  /**
   * The maximum size of the head of a request, in bytes; a larger one is answered with 431.
   * @default {65_536}
   */
  readonly headerBytes?: number;
  /**
   * The maximum size of the body of a request, in bytes; a larger one is answered with 413.
   * @default {4_194_304}
   */
  readonly bodyBytes?: number;
  /**
   * The timeout of a TLS handshake, after which the server closes the connection, in milliseconds.
   *
   * @default {10_000}
   */
  readonly handshakeTimeoutMs?: number;
  /**
   * The timeout of receiving the head of a request, in milliseconds; the server answers a slower
   * request with 408. @default {20_000}
   */
  readonly headerTimeoutMs?: number;
  /**
   * The timeout of receiving a whole request, in milliseconds; the server answers a slower request
   * with 408. @default {60_000}
   */
  readonly requestTimeoutMs?: number;
  /**
   * The time that a connection may be idle between two requests before the server closes the
   * connection, in milliseconds.
   *
   * @default {90_000}
   */
  readonly idleTimeoutMs?: number;
  /**
   * The time for which a connection with a request may be silent in both directions before it is
   * closed, in milliseconds, so that clients that do not read their response are disconnected; 0
   * for no limit. The limit must exceed the duration of handlers, and the longest pause of streams.
   *
   * @default {0}
   */
  readonly silenceTimeoutMs?: number;
  /**
   * The maximum number of open connections of the server; further ones are closed.
   *
   * @default {1000}
   */
  readonly connections?: number;
}

/** The default limits of a server on the requests and connections of its clients. */
export const DEFAULT_LIMITS: Required<ServerLimits> = {
  headerBytes: 65_536,
  bodyBytes: 4 * 1024 * 1024,
  handshakeTimeoutMs: 10_000,
  headerTimeoutMs: 20_000,
  requestTimeoutMs: 60_000,
  idleTimeoutMs: 90_000,
  silenceTimeoutMs: 0,
  connections: 1000,
};

/** A record of the names of all limits of a server, for the check of options. */
export const LIMIT_NAMES: OptionNames<ServerLimits> = {
  headerBytes: true,
  bodyBytes: true,
  handshakeTimeoutMs: true,
  headerTimeoutMs: true,
  requestTimeoutMs: true,
  idleTimeoutMs: true,
  silenceTimeoutMs: true,
  connections: true,
};
