import assert from "node:assert/strict";
import { JsonTextMaker } from "../../../../tests/support/random/random_json.ts";
import { testSeed } from "../../../../tests/support/seed.ts";
import { parseYaml } from "../yaml.ts";
import { readOneLineJson } from "./one_line_json.ts";

const encoder = new TextEncoder();

/**
 * Parses a text as YAML, and returns its JSON with sorted keys; `undefined` when the parser refuses
 * it.
 */
function asYaml(text: string): string | undefined {
  try {
    const { tree, duplicates } = parseYaml(text);
    return duplicates.length > 0 ? "repeated keys" : JSON.stringify(tree);
  } catch {
    return undefined;
  }
}

Deno.test("readOneLineJson() returns the value that YAML has, or undefined", () => {
  const make = new JsonTextMaker(testSeed());
  let read = 0;
  for (let run = 0; run < 3000; run++) {
    const text = make.happens(0.5)
      ? `{"key":${make.value(3)},"a b":${make.value(2)}}`
      : `{"z":[{"b":1,"a":[true,null,-3,"x\\n\\"${run}"]}],"a":{"k${make.below(9)}":""}}\n`;
    const json = readOneLineJson(encoder.encode(text));
    if (!json) continue;
    read++;
    assert.equal(JSON.stringify(json.tree), asYaml(text), text);
  }
  assert.ok(read > 1000, `only ${read} were read`);
});

Deno.test("readOneLineJson() returns undefined for texts that YAML reads differently", () => {
  const texts = [
    '{"a":1,"a":2}',
    '{"<<":{"a":1}}',
    '{"a":1.0}',
    '{"a":12345678901234567890}',
    '{"a":"\\u00e9"}',
    '{"a":"é"}',
    '{"a":"\\/"}',
    '{\n"a":1}',
    '{"a":\t1}',
    `{"${"k".repeat(1100)}":1}`,
    "[1]",
    "{a: 1}",
    "",
  ];
  for (const text of texts) assert.equal(readOneLineJson(encoder.encode(text)), undefined, text);
});
