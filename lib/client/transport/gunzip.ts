import type { Gunzip } from "node:zlib";
import { isAlone, release } from "@xca/apimachinery/internal/base";
import type { ByteSource } from "./http1/byte_source.ts";
import { BodyQueue } from "./http1/body_queue.ts";

/**
 * The largest number of decompressed bytes that the decompressor returns at once; each time costs a
 * turn of the event loop.
 */
const CHUNK_BYTES = 64 * 1024;

/**
 * Returns a byte source that decompresses a gzip response body on demand, and releases the memory
 * of the compressed chunks. Cancelling the source cancels the given one. Data that is not gzip
 * fails the reads and cancels the given source. The first call loads the decompressor.
 */
export async function gunzipped(source: ByteSource): Promise<ByteSource> {
  const { createGunzip } = await import("node:zlib");
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const plain = new BodyQueue({
    pause: () => void gunzip.pause(),
    resume: () => void gunzip.resume(),
    cancel: (reason) => {
      source.cancel(reason);
      gunzip.destroy();
    },
  });
  gunzip.on("data", (chunk: Uint8Array) => {
    // Several chunks of the decompressor may share a buffer, which the reader may release.
    plain.push(isAlone(chunk) ? chunk : new Uint8Array(chunk));
  });
  gunzip.on("end", () => plain.end());
  gunzip.on("error", (error) => plain.cancel(error));
  void feed(source, gunzip).then((any) => {
    // Some servers mark an empty body as compressed, as in answers to HEAD. Go accepts that too.
    if (!any) plain.end();
  }).catch((error) => plain.cancel(error));
  return plain;
}

/**
 * Passes all bytes of a response body to the decompressor and releases their memory; reports
 * whether there were any.
 */
async function feed(source: ByteSource, gunzip: Gunzip): Promise<boolean> {
  let any = false;
  for (let chunk = await source.read(); chunk; chunk = await source.read()) {
    any = true;
    const bytes = chunk;
    await new Promise<void>((resolve) => void gunzip.write(bytes, () => resolve()));
    release(bytes);
  }
  if (any) gunzip.end();
  else gunzip.destroy();
  return any;
}
