import assert from "node:assert/strict";
import { parseJson } from "./parse_json.ts";

Deno.test("parseJson() parses as JSON.parse does, and its errors quote nothing", () => {
  assert.deepEqual(parseJson('{"a":[1,"b",null]}'), { a: [1, "b", null] });
  const texts = [
    '{"data":{"password":"c4n4ry"}',
    '{"data":c4n4ry}',
    "c4n4ry",
    '{"data":"c4n4ry"}x',
    '{"data":"c4n4ry"} c4n4ry',
    '{"c4n4ry":"\n"}',
    '["c4n4ry" "c4n4ry"]',
    '"c4n4ry',
    "",
    "\\c4n4ry",
  ];
  for (const text of texts) {
    assert.throws(
      () => parseJson(text),
      (error) => error instanceof SyntaxError && !/[cny]4/.test(Deno.inspect(error)),
      text,
    );
  }
});
