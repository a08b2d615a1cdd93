import type { IncomingMessage } from "node:http";

/** How much of a body waits for its reader before the socket is left alone. */
const BUFFER_BYTES = 256 * 1024;

/** The statuses that a `Response` may not have a body with. */
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Makes the web's `Response` of a Node answer. The body is read as it is asked for (a slow reader
 * slows the server down); cancelling it closes the connection, and a cut one errors.
 */
export function toResponse(message: IncomingMessage): Response {
  const status = message.statusCode ?? 0;
  const headers = headersOf(message);
  if (status < 200 || status > 599) {
    message.destroy();
    throw new TypeError(`the server answered with the HTTP status ${status}`);
  }
  if (NO_BODY.has(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  return new Response(bodyOf(message), { status, headers });
}

function headersOf(message: IncomingMessage): Headers {
  const headers = new Headers();
  const raw = message.rawHeaders;
  for (let i = 0; i + 1 < raw.length; i += 2) headers.append(raw[i]!, raw[i + 1]!);
  return headers;
}

function bodyOf(message: IncomingMessage): ReadableStream<Uint8Array> {
  let open = true;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const fail = (error: unknown): void => {
        if (!open) return;
        open = false;
        controller.error(error);
      };
      message.on("data", (chunk: Uint8Array) => {
        if (!open) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) message.pause();
      });
      message.on("end", () => {
        if (!open) return;
        open = false;
        controller.close();
      });
      message.on("error", fail);
      message.on("close", () => fail(new Error("the connection closed before the end")));
    },
    pull: () => void message.resume(),
    cancel() {
      open = false;
      message.destroy();
    },
  }, new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES }));
}
