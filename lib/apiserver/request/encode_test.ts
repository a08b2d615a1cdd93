import assert from "node:assert/strict";
import { parseYaml } from "../decode/yaml.ts";
import { Chance } from "../random_values_test.ts";
import { encodeAnswer } from "./encode.ts";

const YAML = { type: "yaml", pretty: false, as: undefined } as const;

/** Texts that need quotes or escapes in YAML or JSON. */
const TEXTS = [
  ...[
    "yes",
    "No",
    "on",
    "y",
    "0777",
    "0o17",
    "1_000",
    "1e3",
    "~",
    "null",
    "0x1F",
    "12:30",
    "=",
  ],
  ...[
    "2020-01-01",
    ".inf",
    ".NaN",
    "",
    " x",
    "x ",
    "a: b",
    "#x",
    "a\nb",
    "a\n\n",
    "\n",
    "\ta",
    "'",
  ],
  ...[
    '"',
    "|",
    "%a",
    "@a",
    "`a",
    "!x",
    "&a",
    "*a",
    "[",
    "{",
    "-",
    "---",
    "...",
    "?",
    ":",
    "\u0000",
  ],
  ...["\u2028", "\ufeffx", "\u{1f600}", "1e400", "-0", "x".repeat(200), "x ".repeat(100)],
];

Deno.test("a YAML answer parses to the same value, except for texts that kube-apiserver changes too", async () => {
  await Chance.runs(300, async (chance) => {
    const text = (): string => chance.pick(TEXTS);
    const value = {
      [text()]: text(),
      list: chance.several(3, text),
      map: Object.fromEntries(chance.several(3, () => [text(), chance.pick([1, 1.5, true, null])])),
      lists: [chance.several(2, () => ({ [text()]: [text()] })), [], {}],
    };
    const written = await encodeAnswer(200, JSON.stringify(value), YAML).text();
    assert.deepEqual(parseYaml(written).tree, JSON.parse(JSON.stringify(value)), written);
  });
});
