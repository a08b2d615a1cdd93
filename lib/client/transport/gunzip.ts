import type { Gunzip } from "node:zlib";
import { isAlone, release } from "@xca/apimachinery/internal/base";
import type { ByteSource } from "./http1/byte_source.ts";
import { BodyQueue } from "./http1/body_queue.ts";

/** What is decompressed at once, in bytes: each time costs a turn of the event loop. */
const CHUNK_BYTES = 64 * 1024;

/** The body, decompressed as it is read. What decompresses is loaded at the first call. */
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
    // Several of its chunks may lie in one buffer.
    plain.push(isAlone(chunk) ? chunk : new Uint8Array(chunk));
  });
  gunzip.on("end", () => plain.end());
  gunzip.on("error", (error) => plain.cancel(error));
  void feed(source, gunzip).then((any) => {
    // Nothing is compressed to nothing by some servers, as in answers to HEAD; in Go too that is none.
    if (!any) plain.end();
  }).catch((error) => plain.cancel(error));
  return plain;
}

/** Whether there was anything. */
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
