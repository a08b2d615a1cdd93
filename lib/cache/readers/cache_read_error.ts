/**
 * Thrown when the cache cannot answer: nothing watches what was asked for, or not yet, or the index that was
 * asked for could not file every object.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { CacheReadError, InformerFactory } from "@xca/operator/cache";
 * import { createClient } from "@xca/operator/client";
 * import { Pod } from "@xca/operator/meta";
 *
 * using client = createClient({ server: "https://example.invalid" });
 * const { cacheReader } = new InformerFactory(client);
 * assert.throws(() => cacheReader.get(Pod, "default/web"), CacheReadError); // nothing watches pods
 * ```
 */
export class CacheReadError extends Error {
  /** Tells it from other errors. */
  override readonly name = "CacheReadError";
}
