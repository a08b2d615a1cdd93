import assert from "node:assert/strict";
import { JsonTextMaker } from "../../../tests/support/random/random_json.ts";
import { testSeed } from "../../../tests/support/seed.ts";
import { compileStage } from "../../../tests/support/stage.ts";
import { FrameTooLargeError } from "../errors/decode_error.ts";
import { LineSplitter } from "./lines.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });
const bytes = (text: string): Uint8Array => encoder.encode(text);

function split(chunks: readonly Uint8Array[], splitter = new LineSplitter()): string[] {
  return chunks.flatMap((chunk) => splitter.push(chunk).map((line) => decoder.decode(line)));
}

Deno.test("F14 LineSplitter joins a line that is cut anywhere, inside a character too", () => {
  const text = '{"name":"é漢字😀"}\n{"b":2}\n';
  const all = bytes(text);
  for (let at = 0; at <= all.length; at++) {
    assert.deepEqual(split([all.slice(0, at), all.slice(at)]), ['{"name":"é漢字😀"}', '{"b":2}']);
  }
  assert.deepEqual(split(Array.from(all, (byte) => Uint8Array.of(byte))), [
    '{"name":"é漢字😀"}',
    '{"b":2}',
  ]);
});

Deno.test("F14 LineSplitter holds back and counts an incomplete last line", () => {
  const splitter = new LineSplitter();
  assert.deepEqual(split([bytes('{"a":1}\n{"b":')], splitter), ['{"a":1}']);
  assert.equal(splitter.pendingBytes, 5);
});

function assertSameHoweverCut(longest: number): void {
  const maker = new JsonTextMaker(testSeed());
  for (let i = 0; i < 300; i++) {
    const ends = ["\n", "\r\n", "\n\n", "\r\n\r\n"];
    const line = (): string => `${"x".repeat(maker.below(longest))}é`;
    const lines = Array.from({ length: maker.below(12) }, line);
    const text = lines.map((line) => line + maker.pick(ends)).join("");
    assert.deepEqual(split(maker.chunks(bytes(text))), lines);
    assert.deepEqual(split([bytes(text)]), lines);
  }
}

Deno.test("LineSplitter returns the same lines however the bytes are cut", () => {
  assertSameHoweverCut(300);
});

Deno.test("LineSplitter returns the same lines when it scans on the stage", () => {
  compileStage();
  assertSameHoweverCut(3000);
});

Deno.test("F16 LineSplitter copies a 3 MB line in 16 KB chunks a bounded number of times", () => {
  const line = new Uint8Array(3 * 1024 * 1024).fill(0x61);
  const splitter = new LineSplitter();
  let copied = 0;
  const set = Uint8Array.prototype.set;
  Uint8Array.prototype.set = function (this: Uint8Array, from: ArrayLike<number>, at?: number) {
    copied += from.length;
    return set.call(this, from, at);
  };
  let lines: Uint8Array[] = [];
  try {
    for (let at = 0; at < line.length; at += 16 * 1024) {
      lines = lines.concat(splitter.push(line.subarray(at, at + 16 * 1024)));
    }
    lines = lines.concat(splitter.push(bytes("\n")));
  } finally {
    Uint8Array.prototype.set = set;
  }
  assert.equal(lines.length, 1);
  assert.equal(lines[0]!.length, line.length);
  assert.ok(copied < 4 * line.length, `copied ${copied} bytes for ${line.length}`);
});

Deno.test("F16 LineSplitter throws on a line beyond the limit, after returning the lines before it", () => {
  const splitter = new LineSplitter({ maxBytes: 10 });
  assert.deepEqual(split([bytes("short\n0123456789")], splitter), ["short"]);
  assert.equal(splitter.pendingBytes, 10);
  assert.throws(() => splitter.push(bytes("x")), FrameTooLargeError);
  assert.throws(() => splitter.push(bytes("\n")), /longer than 10 bytes/);
  assert.equal(splitter.pendingBytes, 0, "nothing more is held");

  const whole = new LineSplitter({ maxBytes: 3 });
  assert.deepEqual(split([bytes("abc\nabcd\nabc\n")], whole), ["abc"]);
  assert.throws(() => whole.end(), FrameTooLargeError);
  assert.throws(() => whole.push(bytes("abc\n")), FrameTooLargeError);
});

Deno.test("LineSplitter: lines of one push stay whole until the next push", () => {
  const splitter = new LineSplitter();
  splitter.push(bytes("fir"));
  const lines = splitter.push(bytes("st\nsecond\nthird"));
  assert.deepEqual(lines.map((line) => decoder.decode(line)), ["first", "second"]);
});
