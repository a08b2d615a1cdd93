import assert from "node:assert/strict";
import { printedRandom } from "../../../tests/support/seed.ts";
import { canonicalQuantity, MILLI } from "./quantity.ts";

const CASES: Readonly<Record<string, string>> = {
  "0": "0",
  "0.0": "0",
  "1": "1",
  "1000": "1k",
  "1000m": "1",
  "0.5": "500m",
  "1.5": "1500m",
  "1e3": "1e3",
  "12e6": "12e6",
  "1024": "1024",
  "1024Ki": "1Mi",
  "0.5Gi": "512Mi",
  "1.5Gi": "1536Mi",
  "-1000m": "-1",
  "0.0000000001": "1n",
  "100000000": "100M",
};
for (const [text, canonical] of Object.entries(CASES)) {
  Deno.test(`the quantity ${text} is ${canonical}`, () => {
    assert.equal(canonicalQuantity(text), canonical);
  });
}

Deno.test("a quantity is rounded up to the wanted scale", () => {
  assert.equal(canonicalQuantity("1.23456", MILLI), "1235m");
  assert.equal(canonicalQuantity("0.0001", MILLI), "1m");
});

Deno.test("the canonical form of a quantity is its own canonical form", () => {
  const { random } = printedRandom();
  const suffixes = ["", "n", "u", "m", "k", "M", "G", "Ki", "Mi", "Gi", "Ti", "e3", "E-2"];
  for (let round = 0; round < 2_000; round++) {
    const whole = Math.floor(random.next() * 10 ** Math.floor(random.next() * 9));
    const fraction = random.next() < 0.5 ? "" : `.${Math.floor(random.next() * 10_000)}`;
    const suffix = suffixes[Math.floor(random.next() * suffixes.length)]!;
    const canonical = canonicalQuantity(`${whole}${fraction}${suffix}`);
    assert.equal(canonicalQuantity(canonical), canonical, `${whole}${fraction}${suffix}`);
  }
});

Deno.test("a quantity with a huge exponent is canonicalized without delay", () => {
  assert.equal(canonicalQuantity("1e-999999999"), "1e-9");
  assert.equal(canonicalQuantity("1e999999"), "1e999999");
  assert.equal(canonicalQuantity(`1${"0".repeat(300_000)}Mi`), canonicalQuantity("9Ei"));
});
