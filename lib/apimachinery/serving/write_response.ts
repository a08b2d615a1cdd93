import type { ServerResponse } from "node:http";
import { drained } from "./drained.ts";

/**
 * Writes an HTTP response to the client. The body of a response with `Content-Length` is written in
 * one piece; another body is written chunk by chunk, and the next chunk is read when the connection
 * accepts more data. With `closing`, the connection is closed afterwards.
 *
 * Resolves when all is written or the client has disconnected; rejects when the body fails.
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

/**
 * Writes the stream of a response body, until its end or the end of the connection. Each chunk of a
 * chunked response is framed here and written to the socket in one call: the `write` of Node's
 * response makes three calls, which increases the cost of a watch by half.
 */
async function pump(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  outgoing.on("close", () => void reader.cancel().catch(() => {}));
  while (true) {
    const { done, value } = await reader.read();
    if (outgoing.destroyed) return;
    if (done) break;
    if (value.length === 0) continue; // An empty chunk would end the response.
    const { socket } = outgoing;
    const framed = socket !== null && outgoing.chunkedEncoding;
    const sink = framed ? socket : outgoing;
    if (!sink.write(framed ? framedOnce(value) : value)) await drained(sink, outgoing);
  }
  outgoing.end();
}

let last: { readonly chunk: Uint8Array; readonly frame: Uint8Array } | undefined;

/**
 * Returns the HTTP frame of a chunk of a response body. The frame of the last chunk of the process
 * is kept, so that responses that send the same array in turn, as watches do, share its frame.
 */
function framedOnce(chunk: Uint8Array): Uint8Array {
  if (last?.chunk !== chunk) last = { chunk, frame: inFrame(chunk) };
  return last.frame;
}

/** Returns a chunk of a response body framed for HTTP/1.1 (RFC 9112, 7.1). */
function inFrame(chunk: Uint8Array): Uint8Array {
  const size = chunk.length.toString(16);
  const frame = new Uint8Array(size.length + chunk.length + 4);
  for (let at = 0; at < size.length; at++) frame[at] = size.charCodeAt(at);
  frame.set(CRLF, size.length);
  frame.set(chunk, size.length + 2);
  frame.set(CRLF, frame.length - 2);
  return frame;
}

const CRLF = Uint8Array.of(13, 10);
