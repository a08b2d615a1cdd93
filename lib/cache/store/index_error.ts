import { errorText } from "@xca/apimachinery/base";
import type { ObjectKey } from "@xca/apimachinery/meta";

/**
 * An index function threw: the object is stored and in every other index, but this index files it
 * nowhere until it changes.
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
  /** The class's name. */
  override readonly name = "IndexError";
  /** The index whose function threw. */
  readonly index: string;
  /** The key of the object it threw on. */
  readonly key: ObjectKey;

  /** Makes an error of one index and one object. */
  constructor(index: string, key: ObjectKey, cause: unknown) {
    super(`Cannot file ${key} in index ${index}: ${errorText(cause)}`, { cause });
    this.index = index;
    this.key = key;
  }
}
