import { errorText } from "@xca/apimachinery/base";
import type { ObjectKey } from "@xca/apimachinery/meta";

/**
 * Reports that an index function threw. The object is stored and is in every other index; this
 * index does not list it until the object changes.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createPacker, Indexer, type IndexError } from "@xca/operator/cache";
 * import { Pod } from "@xca/operator/meta";
 *
 * const errors: IndexError[] = [];
 * const byTeam = () => {
 *   throw new Error("no team");
 * };
 * const indexer = new Indexer({ byTeam }, { onIndexError: (error) => errors.push(error) });
 * indexer.upsert(createPacker({ type: Pod }).packObject({ metadata: { name: "web" } }));
 * assert.equal(errors[0]?.message, "Cannot file web in index byTeam: no team");
 * assert.equal(indexer.size, 1);
 * ```
 */
export class IndexError extends Error {
  /** The name of the class. */
  override readonly name = "IndexError";
  /** The index whose function threw. */
  readonly index: string;
  /** The key of the object that the function threw on. */
  readonly key: ObjectKey;

  /** Creates the error of one index and one object. */
  constructor(index: string, key: ObjectKey, cause: unknown) {
    super(`Cannot file ${key} in index ${index}: ${errorText(cause)}`, { cause });
    this.index = index;
    this.key = key;
  }
}
