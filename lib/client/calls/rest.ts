import type { CallOptions } from "./options.ts";

/** A value of a query; `undefined` is left out, a list repeats the name. */
export type QueryValue = NonNullable<RestRequest["query"]>[string];

/** One call of the REST door. */
export interface RestRequest extends CallOptions {
  /** The HTTP method. @default {"GET"} */
  readonly method?: string | undefined;
  /**
   * The absolute path below the server's URL, as `/apis/apps/v1/deployments`, its segments encoded;
   * no query in it.
   */
  readonly path: string;
  /** The query. */
  readonly query?:
    | Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
    | undefined;
  /** The body: text or bytes as they are, anything else as JSON. */
  readonly body?: unknown;
  /** More headers, as pairs, so that one may repeat. */
  readonly headers?: readonly (readonly [string, string])[] | undefined;
  /** The media type of the body. @default {"application/json"} */
  readonly contentType?: string | undefined;
  /** Whether refusals that may pass, and lost connections of reads, are tried again. @default {true} */
  readonly retry?: boolean | undefined;
  /**
   * The deadline for the answer's headers, each try of its own, in milliseconds. @default {65_000}
   */
  readonly headersTimeoutMs?: number | undefined;
  /** After how long without a byte the body is given up, in milliseconds. @default {65_000} */
  readonly idleTimeoutMs?: number | undefined;
  /**
   * The longest answer that is read as a whole, decompressed, in bytes; a longer one is an error. That
   * of {@linkcode RestDoor.request} is a stream, and has no limit.
   *
   * @default {134_217_728}
   */
  readonly maxBytes?: number | undefined;
  /** What the answer is, for messages, as `watch of pods.v1`. */
  readonly what?: string | undefined;
}

/** Any path of the server, with credentials, deadlines and errors as for every other call. */
export interface RestDoor {
  /**
   * Sends one request. Resolves with the answer once its headers are there and say success; the
   * body is the caller's to read or cancel.
   *
   * @throws {ApiError} When the server refuses (400 and above).
   * @throws {UnreachableError} When there is no connection.
   * @throws {TypeError} When the path is not a path.
   */
  request(request: RestRequest): Promise<Response>;

  /**
   * The same, read to the end and parsed.
   *
   * @throws {AnswerTooLargeError} When the answer is longer than `maxBytes`.
   * @throws {DecodeError} When it is not JSON.
   */
  requestJson<T>(request: RestRequest): Promise<T>;
}
