import assert from "node:assert/strict";
import { constants, gunzipSync } from "node:zlib";
import { seededRandom } from "../../apimachinery/base/mod.ts";
import { testSeed } from "../../../tests/support/seed.ts";
import { gzipEachChunk, gzipMember } from "./gzip_each_chunk.ts";

/** The bytes behind the data of a member: an empty final block, the checksum and the size. */
const END_BYTES = 13;
/** The mark of a flush (RFC 1951, 3.2.4): a stored block without data. */
const FLUSH = [0, 0, 0xff, 0xff];

Deno.test("the data of a member is flushed before its final block, for readers that wait for the next member", () => {
  const seed = testSeed();
  const random = seededRandom(seed);
  for (const length of [0, 1, 100, 65_535, 65_536, 300_000]) {
    const chunk = Uint8Array.from({ length }, () => 97 + random.next() * 4);
    const member = gzipMember(chunk);
    assert.deepEqual(new Uint8Array(gunzipSync(member)), chunk, `seed=${seed} length=${length}`);
    const data = member.subarray(0, -END_BYTES);
    assert.deepEqual([...data.subarray(-4)], FLUSH, `seed=${seed} length=${length}`);
    const read = gunzipSync(data, { finishFlush: constants.Z_SYNC_FLUSH });
    assert.deepEqual(new Uint8Array(read), chunk, `seed=${seed} length=${length}`);
  }
});

Deno.test("each chunk of a stream is sent as a member of its own, and a reader gets all of them", async () => {
  const chunks = ["one", "two", "three"];
  const body = ReadableStream.from(chunks.map((text) => new TextEncoder().encode(text)));
  const members = await Array.fromAsync(gzipEachChunk(body));
  assert.equal(members.length, chunks.length);
  const all = new Blob(members as Uint8Array<ArrayBuffer>[]);
  assert.equal(gunzipSync(await all.bytes()).toString(), chunks.join(""));
});
