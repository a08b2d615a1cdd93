import { markClass } from "@xca/apimachinery/internal/base";
import { errorText } from "@xca/apimachinery/base";
import type { ObjectKey } from "@xca/apimachinery/meta";

/**
 * An error that reports that an index function of a cache threw on an object, or returned anything
 * but an array of strings. The object is stored and is in every other index whose function did not
 * fail; this index does not list the object until a later version for which the function returns
 * such an array.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { IndexError, listWatchFrom, SharedInformer } from "@xca/operator/cache";
 * import { Pod } from "@xca/operator/meta";
 *
 * const items = [{ metadata: { name: "web", uid: "1", resourceVersion: "1" } }];
 * const errors: unknown[] = [];
 * const informer = new SharedInformer({
 *   type: Pod,
 *   listerWatcher: listWatchFrom({
 *     list: () => Promise.resolve({ metadata: { resourceVersion: "1" }, items }),
 *     watch: async function* () {},
 *   }),
 *   indexers: {
 *     byTeam: () => {
 *       throw new Error("no team");
 *     },
 *   },
 *   onError: (error) => errors.push(error),
 * });
 * const abort = new AbortController();
 * const running = informer.run(abort.signal);
 * await informer.whenSynced();
 * const error = errors.find((each) => each instanceof IndexError);
 * assert.equal(error?.message, "Cannot file web in index byTeam: no team");
 * assert.equal(informer.indexer.size, 1);
 * abort.abort();
 * await running;
 * ```
 */
export class IndexError extends Error {
  /** The name of this error class, `IndexError`. */
  override readonly name = "IndexError";
  /** The name of the index whose function threw. */
  readonly index: string;
  /** The key of the object that the index function threw on. */
  readonly key: ObjectKey;

  /** Creates the error of an index function that threw on an object. */
  constructor(index: string, key: ObjectKey, cause: unknown) {
    super(`Cannot file ${key} in index ${index}: ${errorText(cause)}`, { cause });
    this.index = index;
    this.key = key;
  }

  static {
    markClass(this, Symbol.for("@xca/operator/IndexError"));
  }
}
