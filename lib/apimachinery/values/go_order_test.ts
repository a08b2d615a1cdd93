import assert from "node:assert/strict";
import { compareTexts, sortedEntries, sortTexts } from "./go_order.ts";
import { canonicalJson } from "./json_values.ts";
import { goValue } from "./go_values.ts";

/** Names in the order of their UTF-8 bytes; in UTF-16 the last precedes the two before it. */
const NAMES = ["", "B", "a", "a\u0300", "é", "\ud7ff", "\ue000", "\uffee", "\u{1f600}"];

Deno.test("texts are sorted by their UTF-8 bytes, as Go sorts strings", () => {
  const shuffled = NAMES.toReversed();
  assert.deepEqual(sortTexts([...shuffled]), NAMES);
  assert.deepEqual(shuffled.toSorted(compareTexts), NAMES);
  assert.deepEqual(sortTexts(["b", "a"]), ["a", "b"]);
  assert.deepEqual(sortedEntries({ "\u{1f600}": 1, "\ue000": 2 }), [["\ue000", 2], [
    "\u{1f600}",
    1,
  ]]);
  for (const a of NAMES) {
    for (const b of NAMES) {
      assert.equal(compareTexts(a, b), Math.sign(NAMES.indexOf(a) - NAMES.indexOf(b)));
    }
  }
});

Deno.test("the fields of values are written in the order of Go", () => {
  const value = { "\u{1f600}": 1, "\ue000": 2 };
  assert.equal(canonicalJson(value), '{"\ue000":2,"\u{1f600}":1}');
  assert.equal(goValue(value), "map[\ue000:2 \u{1f600}:1]");
});
