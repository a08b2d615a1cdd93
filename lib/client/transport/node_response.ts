import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { responseWithBytes } from "../calls/whole_body.ts";

/** How much of a body waits for its reader before the socket is left alone. */
const BUFFER_BYTES = 256 * 1024;

/** The statuses that a `Response` may not have a body with. */
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Makes the web's `Response` of a Node answer, decompressed when it is gzip. The body is read as it is
 * asked for (a slow reader slows the server down); cancelling it closes the connection, and a cut one
 * errors.
 */
export function toResponse(message: IncomingMessage): Response {
  const status = message.statusCode ?? 0;
  if (status < 200 || status > 599) {
    message.destroy();
    throw new TypeError(`the server answered with the HTTP status ${status}`);
  }
  const headers = headersOf(message);
  if (NO_BODY.has(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  if (isGzip(message)) {
    const plain = headers.filter(([name]) => !/^content-(encoding|length)$/i.test(name));
    return new Response(bodyOf(message, message.pipe(createGunzip())), { status, headers: plain });
  }
  return new Response(bodyOf(message, message), { status, headers });
}

/**
 * The `Response` of an answer whose body is here already, as that of a small one is: it needs no
 * stream. When it settles, the connection is free for the next call. `undefined` of other answers.
 */
export function arrivedResponse(message: IncomingMessage): Promise<Response> | undefined {
  const status = message.statusCode ?? 0;
  if (!message.complete || status < 200 || status > 599 || NO_BODY.has(status)) return undefined;
  if (isGzip(message)) return undefined;
  const chunks: Uint8Array[] = [];
  // One read gives one chunk.
  for (let chunk = message.read(); chunk !== null; chunk = message.read()) chunks.push(chunk);
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  return new Promise((resolve) => {
    const answer = (): void =>
      resolve(responseWithBytes(bytes, { status, headers: headersOf(message) }));
    message.once("end", answer).once("close", answer);
  });
}

function isGzip({ headers }: IncomingMessage): boolean {
  return headers["content-encoding"]?.toLowerCase() === "gzip";
}

function headersOf({ rawHeaders }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    pairs.push([rawHeaders[i]!, rawHeaders[i + 1]!]);
  }
  return pairs;
}

/** The body as it comes out of `source`: of the message itself, or of what decompresses it. */
function bodyOf(message: IncomingMessage, source: Readable): ReadableStream<Uint8Array> {
  let open = true;
  const close = (): void => {
    message.destroy();
    if (source !== message) source.destroy();
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const fail = (error: unknown): void => {
        if (!open) return;
        open = false;
        controller.error(error);
        close();
      };
      source.on("data", (chunk: Uint8Array) => {
        if (!open) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) source.pause();
      });
      source.on("end", () => {
        if (!open) return;
        open = false;
        controller.close();
      });
      source.on("error", fail);
      if (source !== message) message.on("error", fail);
      message.on("close", () => {
        // What was decompressed may still be on its way.
        if (source === message || !message.complete) {
          fail(new Error("the connection closed before the end"));
        }
      });
    },
    pull: () => void source.resume(),
    cancel() {
      open = false;
      close();
    },
  }, new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES }));
}
