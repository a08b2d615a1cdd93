import assert from "node:assert/strict";
import { overlappingIndex, parseIndexes } from "./index_intervals.ts";

Deno.test("parseIndexes() counts the indexes of a set", () => {
  assert.equal(parseIndexes("", 3), 0);
  assert.equal(parseIndexes("0,2-4,7", 8), 5);
});

Deno.test("indexes must be in ascending order and below the completions", () => {
  assert.equal(parseIndexes("1,0", 3), "non-increasing order, previous: 1, current: 0");
  assert.equal(parseIndexes("2-2", 3), "non-increasing order, previous: 2, current: 2");
  assert.equal(parseIndexes("3", 3), 'too large index: "3"');
  assert.equal(parseIndexes("x", 3), 'cannot convert string to integer for index: "x"');
});

Deno.test("overlappingIndex() returns the first index that is in both sets", () => {
  assert.equal(overlappingIndex("0-3,7", "4-6,7", 9), 7);
  assert.equal(overlappingIndex("0-3", "2", 9), 2);
  assert.equal(overlappingIndex("0-3", "4", 9), undefined);
  assert.equal(overlappingIndex("", "4", 9), undefined);
});
