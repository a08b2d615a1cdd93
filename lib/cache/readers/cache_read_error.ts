import { markClass } from "@xca/apimachinery/internal/base";

/**
 * The error of a read that the cache cannot answer, for example because no informer watches the
 * resource or namespace, the informer has not synced, the informers have different transforms, an
 * object could not be decoded or transformed, or the index function threw on an object.
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
  /** The name of this error class, `CacheReadError`. */
  override readonly name = "CacheReadError";

  static {
    markClass(this, Symbol.for("@xca/operator/CacheReadError"));
  }
}
