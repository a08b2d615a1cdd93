import assert from "node:assert/strict";
import { ChunkedDecoder } from "./chunked_decoder.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Returns the decoded HTTP body of a text that is cut at the given positions. */
function decoded(
  text: string,
  cuts: readonly number[] = [],
): { readonly body: string; readonly rest: string; readonly done: boolean } {
  const decoder = new ChunkedDecoder();
  const places = [0, ...cuts, text.length];
  let body = "";
  for (let i = 0; i + 1 < places.length; i++) {
    const piece = bytes(text.slice(places[i], places[i + 1]));
    const got = decoder.push(piece);
    body += new TextDecoder().decode(got.body);
    if (got.done) return { body, rest: text.slice(places[i]! + got.used), done: true };
    assert.equal(got.used, piece.length);
  }
  return { body, rest: "", done: false };
}

const TEXT = "5\r\nhello\r\nA;x=y;z\r\n0123456789\r\n01 \t\r\n!\r\n0\r\nT: u\r\nV: w\r\n\r\nrest";

Deno.test("chunks are joined, however they are cut, and later bytes left", () => {
  const whole = { body: "hello0123456789!", rest: "rest", done: true };
  assert.deepEqual(decoded(TEXT), whole);
  for (let one = 0; one <= TEXT.length; one++) {
    for (let two = one; two <= TEXT.length; two += 7) {
      const got = decoded(TEXT, [one, two]);
      assert.equal(got.body, whole.body);
      assert.ok(got.done && whole.rest.startsWith(got.rest));
    }
  }
});

Deno.test("chunks without an end are incomplete", () => {
  const end = TEXT.length - "rest".length;
  for (let length = 0; length < end; length++) {
    assert.equal(decoded(TEXT.slice(0, length)).done, false);
  }
});

Deno.test("a size may be padded with zeros, up to 16 digits", () => {
  const text = "0000000000000005\r\nhello\r\n0000000000000000\r\n\r\n";
  assert.deepEqual(decoded(text), { body: "hello", rest: "", done: true });
});

Deno.test("a body of no chunks is empty", () => {
  assert.deepEqual(decoded("0\r\n\r\n"), { body: "", rest: "", done: true });
});

for (
  const [what, text] of [
    ["no size", "\r\nx"],
    ["a size that is none", "g\r\n"],
    ["a negative size", "-1\r\n"],
    ["a size in another notation", "0x5\r\nhello\r\n"],
    ["a size beyond all measure", "20000000000000\r\n"],
    ["a size that overflows", "ffffffffffffffff\r\n"],
    ["a size of too many digits", "00000000000000005\r\nhello\r\n"],
    ["LF alone behind the size", "5\nhello\r\n"],
    ["CR alone behind the size", "5\rhello\r\n"],
    ["LF alone in an extension", "5;a\nb\r\nhello\r\n"],
    ["a word behind the size", "5 x\r\nhello\r\n"],
    ["more data than the size says", "5\r\nhello!\r\n"],
    ["LF alone behind the data", "5\r\nhello\n0\r\n\r\n"],
    ["CR alone behind the data", "5\r\nhello\r0\r\n\r\n"],
    ["LF alone in the trailer", "0\r\nA: b\n\r\n"],
    ["LF alone as the end", "0\r\n\n"],
    ["CR alone as the end", "0\r\n\rx"],
  ] as const
) {
  Deno.test(`RFC 9112, 7.1: chunks with ${what} are refused`, () => {
    assert.throws(() => decoded(text), { code: "HPE_INVALID_CHUNK_SIZE" });
    const cuts = Array.from({ length: text.length - 1 }, (_, i) => i + 1);
    assert.throws(() => decoded(text, cuts), { code: "HPE_INVALID_CHUNK_SIZE" });
  });
}

Deno.test("endless extensions and trailers are refused", () => {
  for (const text of ["5;" + "x".repeat(20_000), "0\r\n" + "A: b\r\n".repeat(5_000)]) {
    assert.throws(() => decoded(text), { code: "HPE_CHUNK_EXTENSIONS_OVERFLOW" });
  }
});
