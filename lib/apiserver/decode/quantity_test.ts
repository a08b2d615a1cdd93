import assert from "node:assert/strict";
import { printedRandom } from "../../../tests/support/seed.ts";
import { compareQuantities, nanosOf } from "@xca/apimachinery/internal/values";
import { canonicalQuantity, MILLI } from "./quantity.ts";
import { parseYaml } from "./yaml.ts";

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

Deno.test("a quantity of a million digits is canonicalized with digits alone", () => {
  const digits = "1".repeat(1_000_000);
  const zeros = "0".repeat(500_000);
  assert.equal(canonicalQuantity(digits), digits);
  assert.equal(canonicalQuantity(`${digits}000`), `${digits}k`);
  assert.equal(canonicalQuantity(`1${zeros}1`), `1${zeros}1`);
  assert.equal(canonicalQuantity(`0.${digits}`), "111111112n");
  assert.equal(canonicalQuantity(`0.${"9".repeat(1_000_000)}`), "1");
  assert.equal(canonicalQuantity(`-0.${zeros}1Ki`), "-1n");
  assert.equal(canonicalQuantity(`1.5${zeros}Ki`), "1536");
  assert.equal(canonicalQuantity(`${zeros}1.${zeros}1Ki`), "1024000000001n");
});

/** Returns the most characters of a text that a function converts to a bigint. */
function mostDigits(run: () => void): number {
  const made = globalThis.BigInt;
  let most = 0;
  const counting = (value: string): bigint => {
    most = Math.max(most, String(value).length);
    return made(value);
  };
  try {
    globalThis.BigInt = counting as typeof BigInt;
    run();
  } finally {
    globalThis.BigInt = made;
  }
  return most;
}

Deno.test("no arithmetic is done with the digits of a number that has a million", () => {
  const digits = "1".repeat(1_000_000);
  const most = mostDigits(() => {
    for (const text of [digits, `${digits}Ki`, `0.${digits}`, `0.${digits}Ei`, `${digits}e-5`]) {
      canonicalQuantity(text);
      assert.ok(compareQuantities(text, "0") > 0, text.slice(-5));
    }
    assert.equal(nanosOf(`0.${digits}Ki`), 113_777_777_778n);
    for (const text of [digits, `-${digits}`, `0x${digits}`, `0b${digits}`]) {
      assert.equal(parseYaml(text).tree, text);
    }
  });
  assert.ok(most < 40_000, `${most} digits`);
});
