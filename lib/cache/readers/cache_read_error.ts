import { isMarked, mark } from "@xca/apimachinery/internal/base";

/** The mark of {@linkcode CacheReadError} in all copies of this library in a process. */
const CACHE_READ = Symbol.for("@xca/operator/CacheReadError");
/**
 * The error of a read that the cache cannot answer, for example because no informer watches the
 * resource or namespace, the informer has not synced, an object could not be decoded or
 * transformed, or the index function threw on an object.
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
    mark(this.prototype, CACHE_READ);
  }

  /** Reports whether a value is a CacheReadError, of this copy of the library or of another. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isMarked(value, CACHE_READ, this, CacheReadError);
  }
}
