import assert from "node:assert/strict";
import { RecentMap } from "./recent_map.ts";

Deno.test("RecentMap drops the entry that was not set for the longest time, and reports it", () => {
  const dropped: number[] = [];
  const map = new RecentMap<string, number>(2, (value) => dropped.push(value));
  map.set("a", 1);
  map.set("b", 2);
  map.set("a", 3);
  map.set("c", 4);
  assert.deepEqual([dropped, map.entries()], [[2], [["a", 3], ["c", 4]]]);
  map.delete("a");
  assert.deepEqual([map.size, map.get("a"), map.get("c")], [1, undefined, 4]);
});
