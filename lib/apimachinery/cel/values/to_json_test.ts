import assert from "node:assert/strict";
import { toJson, toProtobufJson } from "./to_json.ts";
import { CelBytes, CelOptional, Uint, ValueList, ValueMap } from "./value.ts";

Deno.test("integers that a double cannot represent are text in JSON of protobuf", () => {
  const list = new ValueList([2n ** 53n - 1n, 2n ** 53n, -(2n ** 53n), new Uint(2n ** 64n - 1n)]);
  assert.deepEqual(toProtobufJson(list), [
    9007199254740991,
    "9007199254740992",
    "-9007199254740992",
    "18446744073709551615",
  ]);
});

Deno.test("infinities and NaN are no JSON of protobuf, within maps and optionals too", () => {
  for (const [value, shown] of [[Infinity, "+Inf"], [-Infinity, "-Inf"], [NaN, "NaN"]] as const) {
    const within = new CelOptional(new ValueMap([["a", value]]));
    for (const each of [value, within]) {
      assert.throws(
        () => toProtobufJson(each),
        new RegExp(`invalid ${shown.replace("+", "\\+")} value`),
      );
    }
  }
});

Deno.test("long bytes become base64", () => {
  const bytes = new CelBytes(new Uint8Array(1_000_000));
  assert.equal(toJson(bytes), btoa("\0".repeat(1_000_000)));
});

Deno.test("a map with the key __proto__ becomes an object with this field", () => {
  const map = new ValueMap([["__proto__", new ValueMap([["a", true]])]]);
  for (const json of [toJson(map), toProtobufJson(map)]) {
    assert.equal(JSON.stringify(json), '{"__proto__":{"a":true}}');
  }
});
