import assert from "node:assert/strict";
import { JsonTextMaker } from "../../../tests/support/random/random_json.ts";
import { testSeed } from "../../../tests/support/seed.ts";
import { Chance } from "../random_values_test.ts";
import { countMembers, membersOf } from "./quick_scan.ts";
import { JsonSyntaxError, parseRawJson, plainJson } from "./raw_json.ts";
import { TypeMismatch } from "./type_mismatch.ts";

/** Parses a JSON text with the exact parser; `undefined` if it is rejected. */
function exact(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: plainJson(parseRawJson(text)) };
  } catch (error) {
    assert.ok(
      error instanceof JsonSyntaxError || error instanceof TypeMismatch,
      `${text}: ${error}`,
    );
    assert.match(
      error.message,
      /^(json: cannot unmarshal number|invalid character|unexpected end)/,
    );
    return undefined;
  }
}

/** Parses a JSON text with `JSON.parse`, and rejects numbers that are too large. */
function oracle(text: string): { readonly value: unknown } | undefined {
  try {
    const value = JSON.parse(text, (_, inner) => {
      return typeof inner === "string" ? inner.toWellFormed() : inner;
    });
    return text.includes("1e400") ? undefined : { value };
  } catch {
    return undefined;
  }
}

Deno.test("the exact parser accepts the texts that JSON.parse accepts, and returns the same values", () => {
  const maker = new JsonTextMaker(testSeed());
  for (let round = 0; round < 1500; round++) {
    const text = maker.happens(0.5) ? maker.value() : maker.kubeObject();
    // A lone surrogate in a key becomes another key.
    if (/\\u[dD][89a-fA-F]/.test(text)) continue;
    assert.deepEqual(exact(text), oracle(text), text);
  }
});

Deno.test("the exact parser refuses the malformed JSON that JSON.parse refuses", async () => {
  await Chance.runs(1500, (chance) => {
    const bytes = new TextEncoder().encode(JSON.stringify(chance.json()));
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(chance.damaged(bytes));
    if (/e\+?\d{4}/i.test(text)) return; // A number that is too large, which `JSON.parse` accepts.
    assert.deepEqual(exact(text) === undefined, oracle(text) === undefined, JSON.stringify(text));
  });
});

Deno.test("countMembers() counts as many members as the parsed value has, unless a key is repeated", async () => {
  await Chance.runs(1500, (chance) => {
    const text = JSON.stringify(chance.fields());
    const members = countMembers(new TextEncoder().encode(text));
    if (members < 0) return;
    assert.equal(members, membersOf(JSON.parse(text)), text);
    const repeated = `{"a":{"b":1,"b":2},"c":${text}}`;
    const lost = countMembers(new TextEncoder().encode(repeated));
    assert.equal(lost, membersOf(JSON.parse(repeated)) + 1, repeated);
  });
});

Deno.test("JSON may be nested ten thousand levels deep, and no deeper", () => {
  const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
  parseRawJson(nested(10_000));
  assert.throws(() => parseRawJson(nested(10_001)), /exceeded max depth/);
  assert.throws(() => parseRawJson("[".repeat(200_000)), /exceeded max depth/);
});
