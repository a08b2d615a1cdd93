import assert from "node:assert/strict";
import { dump } from "js-yaml";
import { StatusError } from "@xca/apimachinery/internal/errors";
import { Chance } from "../random_values_test.ts";
import { STYLE, writeYaml } from "./write_yaml.ts";

const LEAVES: readonly unknown[] = [
  ...[
    "",
    "x",
    " x",
    "a\nb",
    "a\nb\n",
    "a\n\n\n",
    " a\n b",
    "\n",
    "#",
    "1e3",
    "é\u{1f600}",
    "\u0000",
  ],
  ...[
    "x".repeat(2000),
    1,
    -1.5,
    null,
    true,
    [],
    {},
    [[]],
    { a: [{ b: "a\nb\n\n" }] },
    "...",
    "---",
  ],
];
const KEYS = ["a", "x y", "", "1", "true", "y", '"', "a\nb", "k".repeat(1100), "é", "- a", "? b"];

function expected(value: unknown): string {
  return dump(value, STYLE);
}

Deno.test("YAML of deep values is that of js-yaml", async () => {
  await Chance.runs(60, (chance) => {
    let value: unknown = chance.pick(LEAVES);
    for (let levels = 0; levels < 60; levels++) {
      const around = [value, ...chance.several(2, () => chance.pick(LEAVES))];
      if (chance.happens(0.5)) around.reverse();
      value = chance.happens(0.5)
        ? around
        : Object.fromEntries(around.map((each) => [chance.pick(KEYS), each]));
    }
    assert.equal(writeYaml(value), expected(value));
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
