import assert from "node:assert/strict";
import zlib from "node:zlib";
import { HeaderReader, SPDY_DICTIONARY } from "./spdy_headers.ts";

/** Returns a compressed header block, the first of its connection, with the given names and values. */
function blockOf(headers: Readonly<Record<string, string>>): Uint8Array {
  const bytes: number[] = [];
  const number = (value: number): void => void bytes.push(0, 0, value >> 8, value & 0xff);
  const texts = Object.entries(headers);
  number(texts.length);
  for (const text of texts.flat()) {
    number(text.length);
    bytes.push(...new TextEncoder().encode(text));
  }
  const dictionary = SPDY_DICTIONARY;
  const finishFlush = zlib.constants.Z_SYNC_FLUSH;
  return zlib.deflateSync(Uint8Array.from(bytes), { dictionary, finishFlush });
}

Deno.test("a header block has its headers, with names in lower case", async () => {
  const reader = new HeaderReader();
  const headers = await reader.read(blockOf({ StreamType: "data", Port: "80" }));
  assert.deepEqual([...headers], [["streamtype", "data"], ["port", "80"]]);
  reader.close();
});

Deno.test("a header block that cannot be decompressed fails its read, and those after it", async () => {
  const reader = new HeaderReader();
  const malformed = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  await assert.rejects(reader.read(malformed), /incorrect header check/);
  await assert.rejects(reader.read(blockOf({ port: "80" })));
  reader.close();
});
