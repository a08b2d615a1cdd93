// Mirrors `endpoints/handlers/rest.go, limitedReadBody`.
import { tooLarge } from "@xca/apimachinery/internal/errors";

/** The size limit of a request body in bytes (`server.Config, MaxRequestBodyBytes`). */
const MAX_BODY_BYTES: number = 3 * 1024 * 1024;

const EMPTY = new Uint8Array(0);

/**
 * Returns the bytes of the body of an HTTP request, empty without a body.
 *
 * @throws {StatusError} 413 if the body exceeds the limit.
 */
export async function readBody(request: Request): Promise<Uint8Array> {
  const bytes = await readAtMost(request);
  if (bytes !== undefined) return bytes;
  await request.body?.cancel().catch(() => {});
  throw tooLarge(`limit is ${MAX_BODY_BYTES}`);
}

/**
 * Returns a request body, or `undefined` if its length or the `Content-Length` exceeds the size
 * limit. A body of known length is read in one go, which is cheaper than to open its stream, as
 * `request.body` does. The length is measured nevertheless, since a caller in this process may
 * declare another.
 */
async function readAtMost(request: Request): Promise<Uint8Array | undefined> {
  const length = request.headers.get("content-length");
  if (length === null) return request.body === null ? EMPTY : await readStream(request.body);
  if (Number(length) > MAX_BODY_BYTES) return undefined;
  const bytes = await request.bytes();
  return bytes.length > MAX_BODY_BYTES ? undefined : bytes;
}

async function readStream(
  stream: ReadableStream<Uint8Array>,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  if (chunks.length === 1) return chunks[0]!;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
