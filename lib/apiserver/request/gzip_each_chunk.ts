import { constants, crc32, gzipSync } from "node:zlib";

/**
 * Returns a stream of the chunks of `body`, each compressed by itself, so that a client gets a
 * chunk as soon as it is sent and an idle stream holds no compressor (`endpoints/handlers/watch.go,
 * perFlushGzipWriter`).
 */
export function gzipEachChunk(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => controller.enqueue(gzipMember(chunk)),
    }),
  );
}

/**
 * Compresses a chunk as a member of a gzip stream (RFC 1952) whose data is flushed before its end.
 *
 * Without the flush, the last block of the data is the final block of the member, and Go's
 * `gzip.Reader` holds this data back until it has read the header of the next member: client-go
 * would get the last of the initial events of a watch only with the next event.
 */
export function gzipMember(chunk: Uint8Array): Uint8Array {
  const flushed = gzipSync(chunk, { finishFlush: constants.Z_SYNC_FLUSH });
  const member = new Uint8Array(flushed.length + END_BYTES);
  member.set(flushed);
  member.set(EMPTY_FINAL_BLOCK, flushed.length);
  const trailer = new DataView(member.buffer, flushed.length + EMPTY_FINAL_BLOCK.length);
  trailer.setUint32(0, crc32(chunk), true);
  trailer.setUint32(4, chunk.length, true);
  return member;
}

/** A stored block without data that ends a deflate stream (RFC 1951, 3.2.4). */
const EMPTY_FINAL_BLOCK = Uint8Array.of(1, 0, 0, 0xff, 0xff);
/**
 * The number of bytes that follow the data in a gzip member: the final block, the checksum and the
 * size.
 */
const END_BYTES = EMPTY_FINAL_BLOCK.length + 8;
