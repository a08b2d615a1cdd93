import assert from "node:assert/strict";
import { ConfigMap, type UnstructuredObject } from "@xca/apimachinery/meta";
import { printedRandom } from "../../../tests/support/seed.ts";
import { Indexer } from "../store/indexer.ts";
import type { Arena } from "./arena.ts";
import type { ArenaPool } from "./arena_pool.ts";
import type { PackedEntry } from "./packed_entry.ts";
import { createPacker } from "./packer.ts";

type Entry = PackedEntry<UnstructuredObject>;

const BLOCK_BYTES = 256 * 1024;

Deno.test("objects packed and stored late, or never: all stay readable, the counts add up, and abandoned memory is reclaimed", () => {
  const { seed, random } = printedRandom();
  const below = (limit: number): number => Math.floor(random.next() * limit);
  const packer = createPacker<UnstructuredObject>({ type: ConfigMap });
  const store = new Indexer<UnstructuredObject>();
  /** Objects that were packed and are not stored yet, as between a reflector and its store. */
  const waiting: Entry[] = [];
  const arenas = new Set<Arena>();
  let version = 0;
  const pack = (): Entry => {
    const metadata = { name: `n${below(400)}`, uid: "u", resourceVersion: `${++version}` };
    const data = `${version} `.repeat(1 + below(below(40) === 0 ? 9_000 : 500));
    const entry = packer.packObject({ metadata, data }) as Entry;
    arenas.add(entry.arena);
    return entry;
  };
  const isReadable = (entry: Entry): boolean =>
    String(entry.read().data).startsWith(`${entry.resourceVersion} `);
  const pool = pack().arena.pool as ArenaPool;
  for (let step = 0; step < 20_000; step++) {
    const context = `seed=${seed} step=${step}`;
    waiting.push(pack());
    // Mostly few wait; now and then as many as a list has, which then is stored or abandoned whole,
    // after its first arenas count as abandoned.
    const isListing = step % 5_000 < 3_000;
    if (!isListing && (waiting.length > 2_000 || below(3) > 0)) {
      const count = below(below(200) === 0 ? waiting.length + 1 : 3);
      for (const entry of waiting.splice(0, count)) {
        assert.ok(isReadable(entry), context);
        if (below(10) > 3) store.upsert(entry);
      }
    }
    if (step % 500 > 0) continue;
    for (const entry of waiting) assert.ok(isReadable(entry), context);
    for (const packed of store.packed()) arenas.add((packed as Entry).arena);
    const stored = [...store.packed()].reduce((sum, each) => sum + (each as Entry).extent, 0);
    assert.equal(pool.liveBytes, stored, context);
    let waste = 0;
    for (const arena of arenas) {
      assert.ok(arena.live >= 0 && arena.inFlight >= 0, context);
      assert.ok(arena.live + arena.inFlight <= arena.used, context);
      assert.ok(arena.used <= arena.bytes.length, context);
      if (arena.index >= 0) waste += arena.waste;
      else arenas.delete(arena);
    }
    assert.ok(waste <= pool.wasteBytes, `${context}: ${waste} of ${pool.wasteBytes} bytes`);
  }
  waiting.length = 0;
  for (let i = 0; i < 8_000; i++) pack(); // A list that is abandoned whole.
  for (let i = 0; i < 20_000; i++) store.upsert(pack());
  for (const packed of store.packed()) assert.ok(isReadable(packed as Entry), `seed=${seed}`);
  const limit = pool.liveBytes * 1.25 + 24 * BLOCK_BYTES;
  assert.ok(
    pool.allocatedBytes < limit,
    `seed=${seed}: ${pool.allocatedBytes} for ${pool.liveBytes}`,
  );
});
