import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { ConfigMap, type UnstructuredObject } from "@xca/apimachinery/meta";
import { testSeed } from "../../../tests/support/seed.ts";
import type { Arena } from "./arena.ts";
import { ArenaPool } from "./arena_pool.ts";
import { Indexer } from "../store/indexer.ts";
import type { PackedEntry } from "./packed_entry.ts";
import type { PackedObject } from "./packed_object.ts";
import { createPacker } from "./packer.ts";
import { plainCodec } from "./text_codec.ts";

function poolOf(packed: PackedObject): ArenaPool {
  return (packed as PackedEntry).arena.pool as ArenaPool;
}

Deno.test("an empty pool takes no memory, and the first object takes little", () => {
  const pool = new ArenaPool({ type: ConfigMap, codec: plainCodec });
  assert.equal(pool.allocatedBytes, 0);
  const packed = createPacker({ type: ConfigMap }).packObject({ metadata: { name: "n" } });
  assert.ok(poolOf(packed).allocatedBytes <= 64 * 1024);
});

/**
 * Adds, changes and deletes objects of up to `bytes` bytes, and some of 25 times as many. Returns
 * whether the memory of any object was allocated as pages.
 */
function churn(bytes: number, changes: number): boolean {
  const seed = testSeed();
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random.next() * limit);
  const packer = createPacker<UnstructuredObject>({ type: ConfigMap });
  const indexer = new Indexer<UnstructuredObject>();
  const model = new Map<string, string>();
  const held: [PackedObject<UnstructuredObject>, string][] = [];
  const make = (name: string): [PackedObject<UnstructuredObject>, string] => {
    const size = below(50) === 0 ? below(25 * bytes) : below(bytes);
    const data = String.fromCharCode(97 + below(26)).repeat(size);
    return [packer.packObject({ metadata: { name }, data }), data];
  };
  let pool: ArenaPool | undefined;
  let anyPaged = false;
  for (let i = 0; i < changes; i++) {
    const name = `n${below(2000)}`;
    const known = indexer.getPacked(name);
    if (known && below(200) === 0) held.push([known, model.get(name)!]);
    if (below(10) === 0) {
      indexer.delete(name);
      model.delete(name);
    } else {
      const [packed, data] = make(name);
      pool = poolOf(packed);
      anyPaged ||= paged(packed);
      if (below(20) === 0) continue; // Packed, never stored: as when a newer version came meanwhile.
      indexer.upsert(packed);
      model.set(name, data);
    }
    if (below(3000) === 0) {
      const kept = [...indexer.packed()].filter(() => below(4) > 0);
      for (const packed of indexer.packed()) model.delete(packed.key);
      for (const packed of kept) model.set(packed.key, String(packed.read().data));
      indexer.replace(kept, "");
    }
  }
  assert.equal(indexer.size, model.size);
  let live = 0;
  for (const packed of indexer.packed()) {
    assert.equal(packed.read().data, model.get(packed.key));
    live += (packed as PackedEntry<UnstructuredObject>).extent;
  }
  for (const [packed, data] of held) assert.equal(packed.read().data, data);
  assert.equal(pool!.liveBytes, live);
  const limit = live * 1.25 + 8 * Math.max(256 * 1024, 25 * bytes);
  assert.ok(pool!.allocatedBytes < limit, `${pool!.allocatedBytes} bytes for ${live}`);

  for (const key of indexer.keys()) indexer.delete(key);
  assert.equal(pool!.liveBytes, 0);
  assert.ok(pool!.allocatedBytes <= 17 * 256 * 1024, "memory is given back");
  return anyPaged;
}

Deno.test("under random changes memory stays near the stored size, and every version stays readable", () => {
  assert.equal(churn(4_000, 20_000), false);
});

Deno.test("under random changes in pages memory stays near the stored size, and every version stays readable", () => {
  assert.equal(churn(32_000, 8_000), true);
});

Deno.test("repeated updates of every object, in order, leave little waste", () => {
  const packer = createPacker<UnstructuredObject>({ type: ConfigMap });
  const indexer = new Indexer<UnstructuredObject>();
  let pool: ArenaPool | undefined;
  for (let round = 0; round < 10; round++) {
    for (let i = 0; i < 2000; i++) {
      const packed = packer.packObject({ metadata: { name: `n${i}` }, data: "x".repeat(2000) });
      pool = poolOf(packed);
      indexer.upsert(packed);
    }
  }
  assert.ok(pool!.allocatedBytes < pool!.liveBytes * 1.15 + 3 * 256 * 1024);
});

/** Reports whether the arena of an object was allocated as pages of the operating system. */
function paged(packed: PackedObject): boolean {
  return ((packed as PackedEntry).arena.bytes.buffer as ArrayBuffer).resizable;
}

Deno.test("only a store of more than 28 MB takes pages, however often its objects change", () => {
  const packer = createPacker<UnstructuredObject>({ type: ConfigMap });
  const indexer = new Indexer<UnstructuredObject>();
  const data = "x".repeat(20_000);
  const put = (i: number): boolean => {
    const packed = packer.packObject({ metadata: { name: `n${i}` }, data });
    indexer.upsert(packed);
    return paged(packed);
  };
  for (let i = 0; i < 5_000; i++) assert.ok(!put(i % 1_000), `object ${i}`);
  for (let i = 1_000; i < 2_000; i++) put(i);
  assert.ok(put(0), "of 40 MB");
});

Deno.test("a list of more than 28 MB takes pages before any of it is stored", () => {
  const packer = createPacker<UnstructuredObject>({ type: ConfigMap });
  const indexer = new Indexer<UnstructuredObject>();
  const data = "x".repeat(20_000);
  const pack = (i: number): PackedObject<UnstructuredObject> =>
    packer.packObject({ metadata: { name: `n${i}` }, data });
  const listed = Array.from({ length: 2_000 }, (_, i) => pack(i));
  assert.ok(!paged(listed[1_000]!) && paged(listed[1_999]!));
  indexer.replace(listed.slice(0, 100), "");
  const later = Array.from({ length: 20 }, (_, i) => pack(i));
  assert.ok(!paged(later[19]!), "what was listed and not stored does not count any more");
});

Deno.test("replacements that change half of the objects leave the arenas of the stored objects, and little else", () => {
  const packer = createPacker<UnstructuredObject>({ type: ConfigMap });
  const indexer = new Indexer<UnstructuredObject>();
  const data = "x".repeat(4_000);
  const versions = Array.from({ length: 1_000 }, () => 0);
  for (let round = 1; round <= 20; round++) {
    versions.forEach((_, i) => i % 2 === round % 2 && (versions[i] = round));
    const objects = versions.map((version, i) =>
      packer.packObject({
        metadata: { name: `n${i}`, uid: `${i}`, resourceVersion: `${version}` },
        data,
      })
    );
    indexer.replace(objects, `${round}`);
    const pool = poolOf(objects[0]!);
    assert.equal(pool.liveBytes, storedBytes(indexer), `round ${round}`);
  }
  const { liveBytes, allocatedBytes } = poolOf([...indexer.packed()][0]!);
  assert.ok(allocatedBytes < liveBytes * 1.6, `${allocatedBytes} bytes for ${liveBytes}`);
});

Deno.test("two stores of one packer: changes of one make the arenas of both be compacted", () => {
  const packer = createPacker<UnstructuredObject>({ type: ConfigMap });
  const [busy, quiet] = [new Indexer<UnstructuredObject>(), new Indexer<UnstructuredObject>()];
  let version = 0;
  const put = (indexer: Indexer<UnstructuredObject>, i: number): void => {
    indexer.upsert(packer.packObject({
      metadata: { name: `n${i}`, resourceVersion: `${++version}` },
      data: "x".repeat(4_000),
    }));
  };
  for (let i = 0; i < 2_000; i++) {
    put(busy, i);
    if (i % 20 === 0) put(quiet, i);
  }
  const first = quiet.getPacked("n0")!;
  for (let i = 0; i < 20_000; i++) put(busy, (i * 7919) % 2_000);
  const pool = poolOf(first);
  assert.notEqual((quiet.getPacked("n0") as PackedEntry<UnstructuredObject>).arena, arenaOf(first));
  for (const indexer of [busy, quiet]) {
    for (const packed of indexer.packed()) {
      assert.equal(packed.read().metadata.resourceVersion, packed.resourceVersion);
    }
  }
  const stored = storedBytes(busy) + storedBytes(quiet);
  assert.equal(pool.liveBytes, stored);
  const blocks = [busy, quiet].flatMap((each) => [...each.packed()].map((one) => arenaOf(one)));
  const held = [...new Set(blocks)].reduce((sum, { bytes }) => sum + bytes.length, 0);
  assert.ok(held <= pool.allocatedBytes && held < stored * 1.25 + 2e6, `${held} for ${stored}`);
});

function arenaOf(packed: PackedObject<UnstructuredObject>): Arena {
  return (packed as PackedEntry<UnstructuredObject>).arena;
}

function storedBytes(indexer: Indexer<UnstructuredObject>): number {
  const extents = [...indexer.packed()].map((one) =>
    (one as PackedEntry<UnstructuredObject>).extent
  );
  return extents.reduce((sum, each) => sum + each, 0);
}

Deno.test("an object that is stored again after its deletion is counted again", () => {
  const packer = createPacker<UnstructuredObject>({ type: ConfigMap });
  const indexer = new Indexer<UnstructuredObject>();
  const packed = packer.packObject({ metadata: { name: "n" } });
  const pool = poolOf(packed);
  for (let i = 0; i < 3; i++) {
    indexer.upsert(packed);
    indexer.upsert(packed);
    assert.equal(pool.liveBytes, (packed as PackedEntry<UnstructuredObject>).extent);
    indexer.delete("n");
    indexer.delete("n");
    assert.equal(pool.liveBytes, 0);
  }
  assert.equal(packed.read().metadata.name, "n");
});
