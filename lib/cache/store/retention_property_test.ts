import assert from "node:assert/strict";
import { ConfigMap, type UnstructuredObject } from "@xca/apimachinery/meta";
import { printedRandom } from "../../../tests/support/seed.ts";
import type { ArenaPool } from "../packed/arena_pool.ts";
import type { PackedEntry } from "../packed/packed_entry.ts";
import type { PackedObject } from "../packed/packed_object.ts";
import { createPacker } from "../packed/packer.ts";
import { Indexer } from "./indexer.ts";

type Packed = PackedObject<UnstructuredObject>;
type Store = Indexer<UnstructuredObject>;

function extentOf(packed: Packed): number {
  return (packed as PackedEntry<UnstructuredObject>).extent;
}

function storedBytes(stores: readonly Store[]): number {
  return stores.flatMap((store) => [...store.packed()]).reduce((sum, each) => {
    return sum + extentOf(each);
  }, 0);
}

/**
 * Replaces the objects of a store, and aborts the replacement after `steps` steps, unless it has
 * ended by then. `between` runs between the steps.
 */
async function replaceAborted(
  store: Store,
  objects: readonly Packed[],
  steps: number,
  between: () => void,
): Promise<void> {
  const abort = new AbortController();
  const slice = {
    used: true,
    next: (): Promise<void> => {
      if (steps-- <= 0) abort.abort(new Error("enough"));
      abort.signal.throwIfAborted();
      between();
      return Promise.resolve();
    },
  };
  const options = { resourceVersion: "1", slice, signal: abort.signal };
  await store.replaceInSlices(objects, options).catch((error) => {
    assert.equal((error as Error).message, "enough");
  });
}

Deno.test("random writes, replacements and aborted replacements of two stores: the pool counts the stored texts and no others", async () => {
  const { seed, random } = printedRandom();
  const below = (limit: number): number => Math.floor(random.next() * limit);
  const packer = createPacker<UnstructuredObject>({ type: ConfigMap });
  const stores: readonly Store[] = [new Indexer(), new Indexer()];
  let version = 0;
  // Without a resourceVersion, a store cannot see that two objects are the same version.
  const make = (name: string): Packed =>
    packer.packObject({
      metadata: { name, uid: `${++version}`, resourceVersion: below(4) > 0 ? `${version}` : "" },
      data: `${version}`.repeat(1 + below(3_000)),
    });
  const pool = (make("first") as PackedEntry<UnstructuredObject>).arena.pool as ArenaPool;
  for (let step = 0; step < 3_000; step++) {
    const context = `seed=${seed} step=${step}`;
    const store = stores[below(2)]!;
    const name = `n${below(60)}`;
    const kind = below(40);
    if (kind < 24) store.upsert(make(name));
    else if (kind < 32) store.delete(name);
    else if (kind < 34) {
      // An object of the other store: one text, retained by both.
      const shared = stores[below(2)]!.getPacked(name);
      if (shared !== undefined) store.upsert(shared);
    } else {
      const kept = [...store.packed()].filter(() => below(3) > 0);
      const added = Array.from({ length: below(40) }, () => make(`n${below(60)}`));
      if (kind < 37) store.replace([...kept, ...added], `${version}`);
      else {
        const other = stores.find((each) => each !== store)!;
        const churn = (): void => {
          for (let n = below(40); n > 0; n--) other.upsert(make(`n${below(60)}`));
        };
        await replaceAborted(store, [...kept, ...added], below(12), churn);
      }
    }
    assert.equal(pool.liveBytes, storedBytes(stores), context);
    assert.ok(pool.liveBytes + pool.wasteBytes <= pool.allocatedBytes * 2, context);
  }
  for (const store of stores) {
    for (const packed of store.packed()) {
      const { metadata, data } = packed.read();
      assert.ok(String(data).startsWith(metadata.uid!), `seed=${seed} ${packed.key}`);
    }
    for (const key of store.keys()) store.delete(key);
  }
  assert.equal(pool.liveBytes, 0, `seed=${seed}`);
});
