import type { ServerResponse } from "node:http";

/**
 * Writes an answer. One with a `Content-Length` goes out in one piece; any other as it comes, each
 * chunk at once, and the next is asked for when the client has taken the last.
 *
 * Settles when all is handed over or the client is gone; rejects when the answer's body breaks.
 */
export async function writeResponse(
  response: Response,
  outgoing: ServerResponse,
  closing: boolean,
): Promise<void> {
  const headers: string[] = [];
  response.headers.forEach((value, name) => void headers.push(name, value));
  if (closing) headers.push("connection", "close");
  if (response.headers.has("content-length")) {
    const bytes = await response.bytes();
    outgoing.writeHead(response.status, headers);
    outgoing.end(bytes);
    return;
  }
  const { body } = response;
  outgoing.writeHead(response.status, headers);
  if (body === null) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  await pump(body, outgoing);
}

async function pump(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  outgoing.on("close", () => void reader.cancel().catch(() => {}));
  while (true) {
    const { done, value } = await reader.read();
    if (outgoing.destroyed) return;
    if (done) break;
    if (!outgoing.write(value)) await drained(outgoing);
  }
  outgoing.end();
}

/** Settles once the client has taken what was written, or is gone. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off("drain", done);
      outgoing.off("close", done);
      resolve();
    };
    outgoing.on("drain", done);
    outgoing.on("close", done);
  });
}
