import { tooLarge } from "../machinery/status_error.ts";

/** The longest body that is read, in bytes. */
const MAX_BODY_BYTES: number = 3 * 1024 * 1024;

const EMPTY = new Uint8Array(0);

/** The body of a request. @throws {StatusError} 413 when it is longer than the server reads. */
export async function readBody(request: Request): Promise<Uint8Array> {
  if (request.body === null) return EMPTY;
  const length = Number(request.headers.get("content-length") ?? 0);
  const bytes = length > MAX_BODY_BYTES ? undefined : await readAtMost(request);
  if (bytes === undefined) {
    await request.body.cancel().catch(() => {});
    throw tooLarge(`limit is ${MAX_BODY_BYTES}`);
  }
  return bytes;
}

/** `undefined`: there is more. A body of known length is within the limit, and read in one go. */
async function readAtMost(request: Request): Promise<Uint8Array | undefined> {
  if (request.headers.has("content-length")) return await request.bytes();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body!) {
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
