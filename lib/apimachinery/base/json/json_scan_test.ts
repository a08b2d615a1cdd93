import assert from "node:assert/strict";
import { JsonTextMaker } from "../../../../tests/support/random/random_json.ts";
import { testSeed } from "../../../../tests/support/seed.ts";
import { MemberCursor, skipSpace, skipValue, ValueSkipper } from "./json_scan.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

Deno.test("skipValue() stops exactly at the end of the value, whatever follows it", () => {
  const maker = new JsonTextMaker(testSeed());
  for (let i = 0; i < 3000; i++) {
    const value = maker.value();
    const follower = maker.pick(["", ",", "}", "]", " ", "\n,"]);
    const bytes = encoder.encode(value + follower);
    const expected = encoder.encode(value).length;
    assert.equal(skipValue(bytes, 0, bytes.length), expected, value);
    if (follower === "") continue;
    const skipper = new ValueSkipper(0);
    let end = -1;
    for (let seen = 1; end < 0 && seen <= bytes.length; seen += 1 + maker.below(5)) {
      end = skipper.advance(bytes, seen);
    }
    if (end < 0) end = skipper.advance(bytes, bytes.length);
    assert.equal(end, expected, value);
  }
});

Deno.test("MemberCursor visits the members that JSON.parse finds, in order", () => {
  const maker = new JsonTextMaker(testSeed());
  const cursor = new MemberCursor();
  for (let i = 0; i < 3000; i++) {
    const text = maker.kubeObject();
    const bytes = encoder.encode(text);
    const members: [string, unknown][] = [];
    cursor.enter(bytes, 0, bytes.length);
    while (cursor.nextKey()) {
      const start = cursor.at;
      const key = cursor.key();
      assert.equal(cursor.keyIs(encoder.encode(key), key), true);
      assert.equal(cursor.skipValue(), true);
      members.push([key, JSON.parse(decoder.decode(bytes.subarray(start, cursor.at)))]);
    }
    assert.equal(cursor.at, bytes.length);
    assert.deepEqual(Object.fromEntries(members), JSON.parse(text));
  }
});

Deno.test("MemberCursor distinguishes keys with backslashes, quotes and escapes", () => {
  const keys = ["\\", "\\\\", '\\"', '"', "u0041", "\\u0041", "A", "{", ""];
  const text = `{${keys.map((key) => `${JSON.stringify(key)}:1`).join()},"\\u0041":2}`;
  const bytes = encoder.encode(text);
  const cursor = new MemberCursor();
  const seen: string[] = [];
  cursor.enter(bytes, 0, bytes.length);
  while (cursor.nextKey()) {
    seen.push(cursor.key());
    assert.equal(cursor.keyIs(encoder.encode("A"), "A"), cursor.key() === "A");
    cursor.skipValue();
  }
  assert.deepEqual(seen, [...keys, "A"]);
});

Deno.test("the scanner stops on bytes that are not JSON, without throwing", () => {
  const maker = new JsonTextMaker(testSeed());
  const cursor = new MemberCursor();
  for (let i = 0; i < 3000; i++) {
    const bytes = maker.mutate(encoder.encode(maker.kubeObject()));
    const end = skipValue(bytes, skipSpace(bytes, 0, bytes.length), bytes.length);
    assert.ok(end >= -1 && end <= bytes.length);
    cursor.enter(bytes, 0, bytes.length);
    let last = -1;
    while (cursor.nextKey()) {
      assert.ok(cursor.at > last, "each step goes on");
      last = cursor.at;
      cursor.key();
      if (!cursor.skipValue()) break;
    }
    assert.ok(cursor.at <= bytes.length);
  }
});

Deno.test("skipValue() does not recurse: a million brackets do not overflow the stack", () => {
  const bytes = encoder.encode("[".repeat(1e6) + "]".repeat(1e6));
  assert.equal(skipValue(bytes, 0, bytes.length), bytes.length);
  assert.equal(skipValue(bytes, 0, bytes.length - 1), -1);
});

Deno.test("skipValue() returns no position where no value begins", () => {
  for (const text of ["", ",", "}", "]", ":", '"abc', '"abc\\', '"abc\\"', "{", '{"a":1', "[1"]) {
    const bytes = encoder.encode(text);
    assert.equal(skipValue(bytes, 0, bytes.length), -1, text);
  }
});
