import assert from "node:assert/strict";
import { printedRandom } from "../../../../tests/support/seed.ts";
import { LzDictionary, MAX_DICTIONARY_BYTES, MAX_PACKED_TEXT_BYTES } from "./lz_dictionary.ts";
import type { Random } from "../time/random.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function below(random: Random, limit: number): number {
  return Math.floor(random.next() * limit);
}

/** Returns random bytes with runs, repetitions and noise, of a random length up to a limit. */
function anyBytes(random: Random, limit: number): Uint8Array {
  const made = new Uint8Array(below(random, limit + 1));
  const letters = 1 + below(random, 255);
  for (let at = 0; at < made.length;) {
    const length = Math.min(1 + below(random, 400), made.length - at);
    const kind = random.next();
    if (kind < 0.4 && at > 0) made.copyWithin(at, below(random, at), at);
    else if (kind < 0.6) made.fill(below(random, 256), at, at + length);
    else for (let i = 0; i < length; i++) made[at + i] = below(random, letters);
    at += length;
  }
  return made;
}

Deno.test("LzDictionary: unpacking returns the packed bytes", () => {
  const { seed, random } = printedRandom();
  for (let round = 0; round < 150; round++) {
    const dictionary = anyBytes(random, below(random, 2) ? 200 : MAX_DICTIONARY_BYTES);
    const it = new LzDictionary(dictionary);
    for (let i = 0; i < 6; i++) {
      const text = anyBytes(random, [3, 20, 700, 6_000, MAX_PACKED_TEXT_BYTES][below(random, 5)]!);
      // Most of the text is in the dictionary, as with siblings.
      const cut = below(random, dictionary.length + 1);
      const shared = Math.min(text.length, dictionary.length - cut);
      if (random.next() < 0.6) text.set(dictionary.subarray(cut, cut + shared));
      const packed = new Uint8Array(it.pack(text));
      assert.deepEqual(it.unpack(packed), text, `seed=${seed} round=${round}`);
    }
  }
});

Deno.test("LzDictionary: the longest texts and dictionaries, and incompressible ones", () => {
  const { random } = printedRandom();
  const noise = (length: number): Uint8Array =>
    Uint8Array.from({ length }, () => below(random, 256));
  for (const dictionary of [0, 1, 4, MAX_DICTIONARY_BYTES].map(noise)) {
    const it = new LzDictionary(dictionary);
    for (const text of [0, 1, 3, 4, 15, 270, MAX_PACKED_TEXT_BYTES].map(noise)) {
      assert.deepEqual(it.unpack(new Uint8Array(it.pack(text))), text);
    }
    const run = new Uint8Array(MAX_PACKED_TEXT_BYTES).fill(7);
    assert.ok(it.pack(run).length < 300);
    assert.deepEqual(it.unpack(new Uint8Array(it.pack(run))), run);
  }
});

Deno.test("LzDictionary: a similar object packs to a small size", () => {
  const text = (name: string): Uint8Array =>
    bytes(JSON.stringify({ metadata: { name, labels: { app: "a", tier: "b" } }, spec: { n: 1 } }));
  const it = new LzDictionary(text("web-1"));
  assert.ok(it.pack(text("web-2")).length < 16);
});

Deno.test("LzDictionary: a text that is too long is refused", () => {
  assert.throws(() => new LzDictionary(new Uint8Array(MAX_DICTIONARY_BYTES + 1)), RangeError);
  const it = new LzDictionary(new Uint8Array(1));
  assert.throws(() => it.pack(new Uint8Array(MAX_PACKED_TEXT_BYTES + 1)), RangeError);
});
