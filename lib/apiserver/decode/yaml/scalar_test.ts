import assert from "node:assert/strict";
import { Chance } from "../../random_values_test.ts";
import { parseYaml } from "../yaml.ts";

const treeOf = (text: string): unknown => parseYaml(text).tree;

const SCALARS: Readonly<Record<string, unknown>> = {
  "yes": true,
  "Off": false,
  "~": null,
  "0777": 511,
  "0o17": 15,
  "0b101": 5,
  "-0x1F": -31,
  "1_000": 1000,
  "08": 8,
  ".5": 0.5,
  "1.": 1,
  "1e3": 1000,
  "+1": 1,
  "1e": "1e",
  "0x": "0x",
  "1.2.3": "1.2.3",
  "2020-01-01": "2020-01-01",
  "12:30": "12:30",
  // A number out of range is text; an octal out of range is read as a decimal.
  "1e400": "1e400",
  "-1e400": "-1e400",
  "0xfffffffffffffffff": "0xfffffffffffffffff",
  "07777777777777777777777777": 7.777777777777778e24,
  "18446744073709551616": 18446744073709552000,
};
for (const [text, value] of Object.entries(SCALARS)) {
  Deno.test(`the YAML scalar ${text} is ${JSON.stringify(value)}`, () => {
    assert.deepEqual(treeOf(`[${text}]`), [value]);
  });
}

Deno.test("a quoted YAML scalar is a string", () => {
  for (const text of Object.keys(SCALARS)) {
    assert.deepEqual(treeOf(`['${text}', "${text}"]`), [text, text]);
  }
});

Deno.test("a YAML scalar has the type of its tag, or is refused", () => {
  assert.deepEqual(treeOf("[!!int '5', !!float 5, !!bool yes, !!str 5, !!binary aGk=, !x 5]"), [
    ...[5, 5, true, "5", "hi", "5"],
  ]);
  for (
    const [text, why] of [
      ["!!bool 5", "cannot decode !!int `5` as a !!bool"],
      ["!!int x", "cannot decode !!str `x` as a !!int"],
      ["!!int 1.5", "cannot decode !!float `1.5` as a !!int"],
      ["!!null x", "cannot decode !!str `x` as a !!null"],
    ] as const
  ) assert.throws(() => treeOf(text), { message: `yaml: ${why}` });
});

Deno.test("JSON parsed as YAML has the same value, except for lone surrogates", async () => {
  await Chance.runs(600, (chance) => {
    const value = chance.json();
    const text = chance.happens(0.5) ? JSON.stringify(value) : JSON.stringify(value, undefined, 2);
    if (/\\ud[89a-f]/.test(text)) assert.throws(() => treeOf(text), /Unicode|control/);
    else assert.deepEqual(treeOf(text), JSON.parse(text), text);
  });
});

const PIECES = [
  ..."-?:,[]{}#&*!|>'\"%@` \n\n\t=~",
  ...["a", "a: ", "- ", "? ", ": ", "<<: ", "*a", "&a ", "!!int ", "!!binary ", "!!str ", "!x "],
  ...["---\n", "...\n", "%YAML 1.1\n", "null", "0x", "1e400", ".inf", "|\n  a\n", ">-\n", "\u0085"],
  ...["__proto__: ", "constructor: ", "\\u", "\\x4", "\ufeff", "\u2028", "é"],
];

Deno.test("a random YAML text is parsed to a JSON value or refused with a message", async () => {
  await Chance.runs(3000, (chance) => {
    const text = chance.text(PIECES, 14);
    let tree: unknown;
    try {
      tree = treeOf(text);
    } catch (error) {
      assert.match((error as Error).message, /^(yaml|json|unsupported map key)/, text);
      return;
    }
    assert.deepEqual(JSON.parse(JSON.stringify(tree)), tree, JSON.stringify(text));
  });
});
