import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { ConfigMap, type UnstructuredObject } from "@xca/apimachinery/meta";
import { testSeed } from "../../../tests/support/seed.ts";
import {
  annotationsIn,
  deletionTimestampIn,
  type EntryTail,
  generationIn,
  hasMembers,
  membersIn,
  resourceVersionIn,
  sameUid,
  sameVersion,
  tailBytes,
  uidIn,
} from "./entry_tail.ts";
import { Indexer } from "../store/indexer.ts";
import { createPacker } from "./packer.ts";

const TEXTS = [
  "",
  "1000000001",
  "1000000002",
  "5e6b1a3c-7e0d-4f2b-9b1e-0123456789ab",
  "5e6b1a3c-7e0d-4f2b-9b1e-0123456789ac",
  "é".repeat(7),
  "ÿĀ",
  "日本",
  "\ud800",
  "x".repeat(5000),
];

const GENERATIONS = [undefined, 0, 1, -1, 0.5, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER];

function written(tail: EntryTail, at: number): { bytes: Uint8Array; end: number } {
  const made = tailBytes(tail);
  const end = at + made.length;
  const bytes = new Uint8Array(end + 8).fill(0xaa);
  bytes.set(made, at);
  return { bytes, end };
}

Deno.test("a tail returns the facts that were written, with any characters, at any position", () => {
  const seed = testSeed();
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random.next() * limit);
  const text = (): string => TEXTS[below(TEXTS.length)]!;
  const make = (): EntryTail => ({
    uid: text(),
    resourceVersion: text(),
    deletionTimestamp: text(),
    generation: GENERATIONS[below(GENERATIONS.length)],
    annotationsAt: below(3) === 0 ? 0 : below(2 ** 32),
    members: Array.from({ length: below(12) }, () => below(2 ** 32)),
  });
  for (let run = 0; run < 2000; run++) {
    const context = `seed=${seed} run=${run}`;
    const [a, b] = [make(), make()];
    const [aAt, bAt] = [below(9), below(9)];
    const [inA, inB] = [written(a, aAt), written(b, bAt)];
    assert.equal(uidIn(inA.bytes, aAt), a.uid, context);
    assert.equal(resourceVersionIn(inA.bytes, aAt), a.resourceVersion, context);
    assert.equal(deletionTimestampIn(inA.bytes, aAt), a.deletionTimestamp, context);
    assert.equal(generationIn(inA.bytes, aAt), a.generation, context);
    assert.equal(annotationsIn(inA.bytes, aAt), a.annotationsAt, context);
    assert.deepEqual(membersIn(inA.bytes, aAt, inA.end), a.members, context);
    assert.equal(hasMembers(inA.bytes, aAt, inA.end), a.members.length > 0, context);
    assert.equal(sameUid(inA.bytes, aAt, inB.bytes, bAt), a.uid === b.uid, context);
    const same = a.resourceVersion !== "" && a.resourceVersion === b.resourceVersion &&
      a.uid === b.uid;
    assert.equal(sameVersion(inA.bytes, aAt, inB.bytes, bAt), same, context);
  }
});

Deno.test("the facts of a packed object are right whatever they contain, and after it was moved", () => {
  for (const compress of [false, true]) {
    const packer = createPacker<UnstructuredObject>({ type: ConfigMap, compress });
    const indexer = new Indexer<UnstructuredObject>();
    const object = (n: number, round: number): UnstructuredObject => ({
      metadata: {
        name: `n${n}`,
        uid: TEXTS[n % TEXTS.length]!,
        resourceVersion: `${n}${TEXTS[(n + round) % TEXTS.length]}`,
        ...(n % 3 === 0 ? { deletionTimestamp: `2026-01-01T00:00:0${round}Z` } : {}),
        ...(n % 2 === 0 ? { generation: n * 2 ** 30 + round } : {}),
        annotations: { round: `${round}` },
      },
      data: { text: `${n}-${round}-`.repeat(400) },
    });
    const expected = new Map<number, UnstructuredObject>();
    for (let round = 0; round < 6; round++) {
      for (let n = 0; n < 400; n++) {
        if (round > 0 && (n + round) % 5 === 0) continue; // These are moved when the others change.
        expected.set(n, object(n, round));
        indexer.upsert(packer.packObject(object(n, round)));
      }
    }
    for (const [n, { metadata, data }] of expected) {
      const packed = indexer.getPacked(`n${n}`)!;
      assert.equal(packed.uid, metadata.uid);
      assert.equal(packed.resourceVersion, metadata.resourceVersion);
      assert.equal(packed.deletionTimestamp, metadata.deletionTimestamp);
      assert.equal(packed.generation, metadata.generation);
      assert.deepEqual(packed.annotations, metadata.annotations);
      assert.deepEqual(packed.read().data, data);
      assert.deepEqual({ ...packed.view() }.data, data);
      const again = packer.packObject(expected.get(n)!);
      assert.equal(packed.sameVersionAs(again), true);
      assert.equal(again.byteLength, packed.byteLength);
    }
  }
});
