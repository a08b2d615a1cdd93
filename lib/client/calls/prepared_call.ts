import type { HeaderPair } from "../transport/http1/header_pair.ts";

/** A call, ready to be sent any number of times. */
export interface PreparedCall {
  /** The HTTP method. */
  readonly method: string;
  /** The path, for messages. */
  readonly path: string;
  /** The whole URL. */
  readonly url: string;
  /** The body. */
  readonly body: string | Uint8Array | undefined;
  /** The headers, without credentials. */
  readonly headers: readonly HeaderPair[];
  /** The deadline for all of it, every try included, in milliseconds; 0 is none. */
  readonly timeoutMs: number;
  /** The deadline for the answer's headers, in milliseconds; 0 is none. */
  readonly headersTimeoutMs: number;
  /** What the answer is, for messages. */
  readonly what: string;
}
