import { tooLarge } from "@xca/apimachinery/internal/errors";

/** The longest body that is read, in bytes. */
const MAX_BODY_BYTES: number = 3 * 1024 * 1024;

const EMPTY = new Uint8Array(0);

/** The body of a request. @throws {StatusError} 413 when it is longer than the server reads. */
export async function readBody(request: Request): Promise<Uint8Array> {
  const bytes = await readAtMost(request);
  if (bytes !== undefined) return bytes;
  await request.body?.cancel().catch(() => {});
  throw tooLarge(`limit is ${MAX_BODY_BYTES}`);
}

/**
 * `undefined`: there is more. A body of known length is read in one go: to ask for the stream of one
 * that is there already costs more than to read it.
 */
async function readAtMost(request: Request): Promise<Uint8Array | undefined> {
  const length = request.headers.get("content-length");
  if (length !== null) return Number(length) > MAX_BODY_BYTES ? undefined : await request.bytes();
  return request.body === null ? EMPTY : await readStream(request.body);
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
