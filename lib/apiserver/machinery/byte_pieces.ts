import type { Work } from "@xca/apimachinery/internal/base";

/** The minimum size in bytes of a chunk of a streamed response body, except the last chunk. */
const BATCH_BYTES = 512 * 1024;

const encoder = new TextEncoder();

/** The minimum number of characters that one call of the encoder encodes, except the last call. */
const ENCODED_LENGTH = 64 * 1024;

/**
 * Yields the texts of a response body in UTF-8: chunks of whole texts, each of at least {@linkcode
 * ENCODED_LENGTH} characters except the last one.
 */
export function* encodePieces(texts: Iterable<string>): Iterable<Uint8Array> {
  let waiting = "";
  for (const text of texts) {
    waiting += text;
    if (waiting.length < ENCODED_LENGTH) continue;
    yield encoder.encode(waiting);
    waiting = "";
  }
  if (waiting !== "") yield encoder.encode(waiting);
}

/** Returns the concatenation of chunks of bytes. */
export function joinPieces(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/**
 * Returns a stream of chunks, each created when it is read, so that a long response is never in
 * memory twice. With `work`, other requests run between two chunks once the response has used its
 * time, even if the reader never waits.
 */
export function streamPieces(
  pieces: Iterable<Uint8Array>,
  work?: Work,
): ReadableStream<Uint8Array> {
  const rest = pieces[Symbol.iterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (work?.used) await work.next();
      const batch: Uint8Array[] = [];
      for (let length = 0; length < BATCH_BYTES;) {
        const { done, value } = rest.next();
        if (done) {
          if (batch.length > 0) controller.enqueue(joinPieces(batch));
          controller.close();
          return;
        }
        batch.push(value);
        length += value.length;
      }
      controller.enqueue(joinPieces(batch));
    },
  }, { highWaterMark: 0 });
}
