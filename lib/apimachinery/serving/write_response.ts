import type { ServerResponse } from "node:http";
import { drained } from "./drained.ts";

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

/**
 * Hands a stream over. Its chunks are framed here and go to the socket in one write each: by the
 * response's own `write` each would be three, which costs a watch half as much again.
 */
async function pump(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  outgoing.on("close", () => void reader.cancel().catch(() => {}));
  while (true) {
    const { done, value } = await reader.read();
    if (outgoing.destroyed) return;
    if (done) break;
    if (value.length === 0) continue; // An empty chunk would be the last one.
    const { socket } = outgoing;
    const framed = socket !== null && outgoing.chunkedEncoding;
    const sink = framed ? socket : outgoing;
    if (!sink.write(framed ? framedOnce(value) : value)) await drained(sink, outgoing);
  }
  outgoing.end();
}

let last: { readonly chunk: Uint8Array; readonly frame: Uint8Array } | undefined;

/** Answers that are told the same at the same time, as watches are, share the frame. */
function framedOnce(chunk: Uint8Array): Uint8Array {
  if (last?.chunk !== chunk) last = { chunk, frame: inFrame(chunk) };
  return last.frame;
}

/** A chunk as HTTP/1.1 frames it (RFC 9112, 7.1). */
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
