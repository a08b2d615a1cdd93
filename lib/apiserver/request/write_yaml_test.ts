import assert from "node:assert/strict";
import { StatusError } from "@xca/apimachinery/internal/errors";
import { parseYaml } from "../decode/yaml.ts";
import { Chance } from "../random_values_test.ts";
import { writeYaml } from "./write_yaml.ts";

// tests/conformance/protocol/yaml_answers_test.ts compares texts of all kinds with kube-apiserver.

Deno.test("long texts are folded after 80 columns, at a single space", () => {
  const words = "word ".repeat(20).trim();
  const folded = [
    `a: ${"word ".repeat(16).trim()}`,
    "  word word word word",
    `b: '# ${"word ".repeat(16).trim()}`,
    "  word word word word'",
    `c: "\\x01 ${"word ".repeat(15).trim()}`,
    '  word word word word word"',
    "d:",
    `- ${"x".repeat(100)}`,
    "",
  ];
  const value = { a: words, b: `# ${words}`, c: `\u0001 ${words}`, d: ["x".repeat(100)] };
  assert.equal(writeYaml(value), folded.join("\n"));
});

Deno.test("keys are sorted with the numbers in them by value, and letters last", () => {
  const keys = ["", ".", "_", "1", "2", "10", "A", "a", "a1", "a01", "a2", "a10", "ab", "é"];
  const value = Object.fromEntries(keys.toReversed().map((key) => [key, true]));
  const written = writeYaml(value).trim().split("\n").map((line) => line.replace(/: true$/, ""));
  const quoted = keys.map((key) => /^[0-9]*$/.test(key) ? `"${key}"` : key);
  assert.deepEqual(written, quoted);
});

const PARTS: readonly string[] = [
  ..."a b 0 1 . - : # , ? ! & * | > ' \" % @ ` { ] ~ = _ \\".split(" "),
  ...[" ", "  ", "\n", "\n\n", "\t", "\r", "\u0001", "é", "\u2028", "\u{1f600}", "\ue000"],
  ...["yes", "null", "1e3", "0x1", "2001-01-01", "word ".repeat(20)],
];

/** Returns a value of texts, numbers, lists and objects, in at most `levels` levels. */
function randomValue(chance: Chance, levels: number): unknown {
  const text = (): string => chance.several(6, () => chance.pick(PARTS)).join("");
  if (levels === 0 || chance.happens(0.4)) {
    return chance.pick<() => unknown>([
      text,
      text,
      () => 1.5e-7,
      () => -3,
      () => null,
      () => true,
    ])();
  }
  const inner = chance.several(4, () => randomValue(chance, levels - 1));
  if (chance.happens(0.5)) return inner;
  return Object.fromEntries(inner.map((each) => [text(), each]));
}

Deno.test("YAML reads back as the value that was written", async () => {
  await Chance.runs(300, (chance) => {
    const value = { value: randomValue(chance, 5) };
    const text = writeYaml(value);
    assert.deepEqual(parseYaml(text).tree, value, text);
  });
});

Deno.test("YAML of 2000 levels is written, and that of more is refused", () => {
  const nested = (levels: number): unknown => {
    let value: unknown = "x";
    for (let level = 0; level < levels; level++) value = { a: value };
    return value;
  };
  assert.equal(writeYaml(nested(2000)).split("\n").at(-2), `${"  ".repeat(1999)}a: x`);
  assert.throws(() => writeYaml(nested(2001)), (error) => {
    return error instanceof StatusError && error.status.code === 400;
  });
});

Deno.test("control characters that JSON does not escape are refused, in keys too", () => {
  for (const value of [{ a: ["\u007f"] }, { "\u0080": 1 }, { a: "\uffff" }]) {
    assert.throws(() => writeYaml(value), (error) => {
      return error instanceof StatusError && error.status.code === 500;
    });
  }
});

Deno.test("a text with many line breaks before its end is written in linear time", () => {
  const breaks = "\n".repeat(1_000_000);
  assert.equal(writeYaml({ a: `${breaks}b` }).startsWith("a: |2-\n\n"), true);
  assert.equal(writeYaml({ a: `b${breaks}` }).startsWith("a: |+\n  b\n\n"), true);
});
