import type { HeaderPair } from "../transport/http1/header_pair.ts";

/** A call that can be sent any number of times. */
export interface PreparedCall {
  /** The HTTP method. */
  readonly method: string;
  /** The path, for messages. */
  readonly path: string;
  /** The URL. */
  readonly url: string;
  /** Throws when the call may not be written to its connection now. */
  readonly admit: (() => void) | undefined;
  /** The body. */
  readonly body: string | Uint8Array | undefined;
  /** The headers, without credentials. */
  readonly headers: readonly HeaderPair[];
  /** The deadline of the call, retries included, in milliseconds; 0 is none. */
  readonly timeoutMs: number;
  /** The deadline of the headers of the answer, in milliseconds; 0 is none. */
  readonly headersTimeoutMs: number;
  /** The name of the answer, for messages. */
  readonly what: string;
}
