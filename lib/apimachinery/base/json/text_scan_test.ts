import assert from "node:assert/strict";
import { JsonTextMaker } from "../../../../tests/support/random/random_json.ts";
import { testSeed } from "../../../../tests/support/seed.ts";
import { type TextScan, textScanModule, UNCLOSED, UNSURE } from "./text_scan.ts";
import { skipValue } from "./json_scan.ts";

const MAX_BYTES = 64 * 1024;
const NEWLINE = 0x0a;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;
const encoder = new TextEncoder();
const module = new WebAssembly.Module(textScanModule(MAX_BYTES));
const scan = new WebAssembly.Instance(module).exports as TextScan;
const memory = new Uint8Array(scan.memory.buffer);

/** Returns the result of the WebAssembly scan of a text between two positions. */
function skip(bytes: Uint8Array, at = 0, end = bytes.length): number {
  memory.set(bytes);
  scan.isAscii(bytes.length);
  const after = scan.skipContainer(at, end);
  return after > end ? UNCLOSED : after;
}

/**
 * Returns the result of the JavaScript scan in `json_scan.ts`, whose tests compare it with
 * `JSON.parse`.
 */
function expected(bytes: Uint8Array, at = 0, end = bytes.length): number {
  return skipValue(bytes, at, end);
}

function assertSame(text: string, at = 0): void {
  const bytes = encoder.encode(text);
  assert.equal(skip(bytes, at), expected(bytes, at), text);
}

/** Returns a random text of a few characters, mostly brackets, quotes and backslashes. */
function noise(maker: JsonTextMaker, length: number): Uint8Array {
  const alphabet = maker.pick([
    '"\\{}[]a',
    '"{}[]   ',
    '"\\',
    '"\\aaaaaa{}',
    "{[}]",
    '"{}:,\\u00e9é',
  ]);
  const bytes = encoder.encode(alphabet);
  return Uint8Array.from({ length }, () => maker.pick([...bytes]));
}

function concat(...parts: (Uint8Array | string)[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) => [...(typeof part === "string" ? encoder.encode(part) : part)]),
  );
}

Deno.test("the scan ends where the container ends, in JSON of every form and at every offset", () => {
  const maker = new JsonTextMaker(testSeed());
  for (let i = 0; i < 4000; i++) {
    const before = noise(maker, maker.below(70));
    const text = maker.happens(0.5) ? maker.kubeObject() : maker.array([maker.value(6)]);
    const behind = noise(maker, 80).map((byte) => byte === BACKSLASH ? BRACE : byte);
    const bytes = concat(before, text, maker.pick(["", "}", ',"', " ", "]}}"]), behind);
    const end = before.length + encoder.encode(text).length;
    assert.equal(skip(bytes, before.length, end), end, text);
    const cut = before.length + maker.below(end - before.length);
    const found = skip(bytes, before.length, cut);
    assert.ok(found === UNCLOSED || found === UNSURE, "cut short, it does not end");
    assert.equal(skip(concat(before, text), before.length), end, text);
  }
});

Deno.test("the scan agrees with the scan in JavaScript on invalid JSON, or returns unsure", () => {
  const maker = new JsonTextMaker(testSeed());
  const counts = { closed: 0, unclosed: 0, unsure: 0 };
  for (let i = 0; i < 20_000; i++) {
    const bytes = maker.happens(0.3)
      ? maker.mutate(encoder.encode(maker.kubeObject()))
      : concat(maker.pick(["{", "["]), noise(maker, maker.below(300)));
    let at = maker.happens(0.5) ? 0 : bytes.findIndex((byte, at) => at > 3 && isOpen(byte));
    if (at < 0 || !isOpen(bytes[at]!)) at = bytes.findIndex(isOpen);
    if (at < 0) continue;
    const end = maker.happens(0.7) ? bytes.length : at + 1 + maker.below(bytes.length - at);
    const found = skip(bytes, at, end);
    if (found === UNSURE) {
      assert.ok(strayBackslash(bytes, at), "unsure only where a backslash is outside of strings");
      counts.unsure++;
      continue;
    }
    assert.equal(
      found,
      expected(bytes, at, end),
      new TextDecoder().decode(bytes.subarray(at, end)),
    );
    counts[found < 0 ? "unclosed" : "closed"]++;
  }
  for (const [what, count] of Object.entries(counts)) assert.ok(count > 300, `${what}: ${count}`);
});

function isOpen(byte: number): boolean {
  return byte === 0x7b || byte === 0x5b;
}

/** Reports whether a text has a backslash outside of JSON strings. */
function strayBackslash(bytes: Uint8Array, from: number): boolean {
  let inString = false;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === 0x22) inString = !inString;
    else if (byte === BACKSLASH) {
      if (!inString) return true;
      at++;
    }
  }
  return false;
}

Deno.test("escapes are recognized at every offset of a block, after any number of backslashes", () => {
  for (let before = 0; before < 140; before++) {
    for (let backslashes = 0; backslashes <= 70; backslashes += before % 7 === 0 ? 1 : 23) {
      const head = `{"${"x".repeat(before)}${"\\".repeat(backslashes)}`;
      assertSame(`${head}"}`);
      assertSame(`${head}\\"}"}`);
      assertSame(`${head}"},"}`);
      assertSame(head);
    }
  }
});

Deno.test("brackets within strings longer than a block are ignored", () => {
  for (let length = 0; length < 300; length++) {
    assertSame(`["${"}]".repeat(length)}",{}]`);
    assertSame(`["${"x".repeat(length)}",["}"],{"]":"["}]]]`);
    assertSame(`["${"}]".repeat(length)}`);
  }
});

Deno.test("depth is counted across blocks, and the end found at every offset of a block", () => {
  for (const depth of [1, 2, 31, 32, 33, 63, 64, 65, 128, 1000, 20_000]) {
    const open = "[{".repeat(depth);
    const close = "}]".repeat(depth);
    assertSame(open + close + close);
    assertSame(open + close.slice(1));
    assertSame(open);
  }
  for (let length = 0; length < 200; length++) {
    assertSame(`{${" ".repeat(length)}}}`);
    assertSame(`{${"{}".repeat(length)}}{}`, length % 2);
    assertSame(`[${"[1],".repeat(length)}[[]]]]]`);
  }
});

Deno.test("a bracket of the wrong kind closes a container too, as in the scan in JavaScript", () => {
  assertSame("[}]");
  assertSame('{"a":[}]}');
});

Deno.test("a backslash outside of strings makes the scan unsure", () => {
  assert.equal(skip(encoder.encode('{\\"a":1}')), UNSURE);
  assert.equal(skip(encoder.encode(`{${" ".repeat(100)}\\}`)), UNSURE);
  assert.equal(skip(encoder.encode('{"\\"":"\\\\"}')), 11);
});

Deno.test("isAscii() checks every byte of the text and none after it", () => {
  for (let length = 0; length < 200; length++) {
    memory.fill(0xff);
    memory.fill(0x7f, 0, length);
    assert.equal(scan.isAscii(length), 1, `${length} bytes`);
    for (let at = 0; at < length; at++) {
      memory[at] = 0x80;
      assert.equal(scan.isAscii(length), 0, `byte ${at} of ${length}`);
      memory[at] = 0;
    }
  }
});

Deno.test("a text may be as long as the requested size", () => {
  memory.fill(0x20);
  memory[0] = 0x5b;
  memory[MAX_BYTES - 1] = 0x5d;
  assert.equal(scan.skipContainer(0, MAX_BYTES), MAX_BYTES);
  assert.equal(scan.skipContainer(0, MAX_BYTES - 1), MAX_BYTES, "what is past the end is told");
  assert.equal(scan.isAscii(MAX_BYTES), 1);
});

Deno.test("the scan finds the first newline from any offset on, and none after the end", () => {
  const maker = new JsonTextMaker(testSeed());
  let found = 0;
  for (let i = 0; i < 20_000; i++) {
    const bytes = noise(maker, 1 + maker.below(300));
    for (let n = maker.below(4); n > 0; n--) bytes[maker.below(bytes.length)] = NEWLINE;
    memory.set(bytes);
    memory.fill(NEWLINE, bytes.length, bytes.length + 64);
    const at = maker.below(bytes.length);
    const expected = bytes.indexOf(NEWLINE, at);
    const newline = scan.findNewline(at, bytes.length);
    if (expected < 0) assert.ok(newline >= bytes.length, "the block behind the end counts as none");
    else assert.equal(newline, expected);
    if (expected >= 0) found++;
  }
  assert.ok(found > 5000, "many are found");
});
