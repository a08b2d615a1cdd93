import type { IncomingMessage } from "node:http";

/** The HTTP methods that `Request` forbids (the Fetch standard, 2.2.1). */
const FORBIDDEN_METHODS: ReadonlySet<string> = new Set(["CONNECT", "TRACE", "TRACK"]);
/** The HTTP method that `Request` is created with when it forbids the method of the request. */
const UNSUPPORTED = "UNSUPPORTED";

/**
 * An HTTP request with the method of the request line, including methods that `Request` forbids,
 * and with a signal that is created on first use. Most handlers do not use the signal, and the one
 * of `Request` costs more than the rest of the object.
 */
export class ServedRequest extends Request {
  readonly #method: string;
  #gone: AbortController | undefined;
  #reason: unknown;

  constructor(url: string, init: RequestInit & { readonly method: string }) {
    const { method } = init;
    const isForbidden = FORBIDDEN_METHODS.has(method.toUpperCase());
    super(url, isForbidden ? { ...init, method: UNSUPPORTED } : init);
    this.#method = isForbidden ? method : super.method;
  }

  /** The method of the HTTP request line. */
  override get method(): string {
    return this.#method;
  }

  /**
   * The signal of the request: aborted when the client goes away, or the server stops, before the
   * response is complete.
   */
  override get signal(): AbortSignal {
    if (this.#gone === undefined) {
      this.#gone = new AbortController();
      if (this.#reason !== undefined) this.#gone.abort(this.#reason);
    }
    return this.#gone.signal;
  }

  /** Aborts the signal of the request at once, or when the signal is created. */
  abort(reason: Error): void {
    this.#reason ??= reason;
    this.#gone?.abort(reason);
  }
}

/**
 * The error about a request whose target is neither a path nor a URL or has dot segments, or which
 * `Request` refuses.
 */
export class BadRequestLine extends Error {
  override readonly name = "BadRequestLine";
}

/**
 * Returns the `Request` that the handler receives for a request of Node's HTTP server; the body of
 * a GET or HEAD request is dropped.
 *
 * @throws {BadRequestLine} When the request target is neither a path nor a URL or has dot segments,
 * or `Request` refuses the request.
 */
export function servedRequest(
  incoming: IncomingMessage,
  origin: string,
  body: Uint8Array<ArrayBuffer> | undefined,
): ServedRequest {
  const { rawHeaders, method = "GET" } = incoming;
  const headers: [string, string][] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.push([rawHeaders[at]!, rawHeaders[at + 1]!]);
  }
  try {
    return new ServedRequest(origin + pathOf(incoming.url ?? ""), {
      method,
      headers,
      ...(body && method !== "GET" && method !== "HEAD" && { body }),
    });
  } catch {
    throw new BadRequestLine();
  }
}

/**
 * Returns the path and query of a request target. A target may name a whole URL, as for a proxy
 * (RFC 9112, 3.2.2); its authority does not count.
 *
 * `URL` resolves dot segments, and takes `\` for `/` and `#` for the end, so that a request for an
 * object named `..` would reach the collection above. Dot segments are refused, and the other
 * characters are escaped.
 *
 * @throws {BadRequestLine} When the path has a dot segment.
 * @throws {TypeError} When the target is neither a path nor a URL.
 */
function pathOf(target: string): string {
  const [, path, query = ""] = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?]*)(\?.*)?$/is.exec(target)!;
  if (!target.startsWith("/")) new URL(target);
  if (DOT_SEGMENT.test(path!)) throw new BadRequestLine();
  return escaped(path!) + escaped(query);
}

/** A pattern of the path segments `.` and `..`, escaped or not, which `URL` would resolve. */
const DOT_SEGMENT = /(?:^|[/\\])(?:\.|%2e){1,2}(?=[/\\]|$)/i;

function escaped(text: string): string {
  return text.replaceAll("\\", "%5C").replaceAll("#", "%23");
}

/** The error about a request body that is larger than the limit. */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

/**
 * The multiple of the size limit up to which a request body that is too large is read and dropped
 * before it is refused. Otherwise the client would fail to write the body and not read the
 * response.
 */
const DRAINED_PARTS = 4;

/**
 * Reads and returns a request body to its end; `undefined` when the request announces none, or one
 * of size 0. With `waits`, where the client waits for `100 Continue`, a body that declares a size
 * above the limit is refused without reading it.
 *
 * @throws {BodyTooLarge} When the body is larger than `limit` bytes.
 * @throws {Error} When the connection is closed before the end of the body.
 */
export function readBody(
  incoming: IncomingMessage,
  limit: number,
  waits: boolean,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { "content-length": declared, "transfer-encoding": encoding } = incoming.headers;
  if (encoding === undefined && (declared === undefined || declared === "0")) {
    return Promise.resolve(undefined);
  }
  if (waits && Number(declared) > limit) return Promise.reject(new BodyTooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let length = 0;
    incoming.on("data", (chunk: Uint8Array<ArrayBuffer>) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else chunks.length = 0;
      if (length > limit * DRAINED_PARTS) reject(new BodyTooLarge());
    });
    incoming.on("end", () => {
      if (length > limit) reject(new BodyTooLarge());
      else resolve(chunks.length === 1 ? chunks[0] : joined(chunks, length));
    });
    incoming.on("error", reject);
    incoming.on("close", () => {
      if (incoming.readableEnded) return; // The promise is settled, and an error is expensive.
      reject(new Error("The client closed the connection before the end of the request body"));
    });
  });
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
