/** What one server takes from its clients. */
export interface ServerLimits {
  /** The most bytes of a request's head. Larger ones are answered 431. @default {65_536} */
  readonly headerBytes?: number;
  /** The most bytes of a request's body. Larger ones are answered 413. @default {4_194_304} */
  readonly bodyBytes?: number;
  /** How long a TLS handshake may take, in milliseconds. @default {10_000} */
  readonly handshakeTimeoutMs?: number;
  /** How long the head of a request may take, in milliseconds. @default {20_000} */
  readonly headerTimeoutMs?: number;
  /** How long head and body of a request may take together, in milliseconds. @default {60_000} */
  readonly requestTimeoutMs?: number;
  /** How long a connection may rest between two requests, in milliseconds. @default {90_000} */
  readonly idleTimeoutMs?: number;
  /** The most connections at a time. Further ones are closed at once. @default {1000} */
  readonly connections?: number;
}

/** The limits where nothing else is said. */
export const DEFAULT_LIMITS: Required<ServerLimits> = {
  headerBytes: 65_536,
  bodyBytes: 4 * 1024 * 1024,
  handshakeTimeoutMs: 10_000,
  headerTimeoutMs: 20_000,
  requestTimeoutMs: 60_000,
  idleTimeoutMs: 90_000,
  connections: 1000,
};
