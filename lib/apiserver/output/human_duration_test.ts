import assert from "node:assert/strict";
import { ageOf, humanDuration } from "./human_duration.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const CASES: readonly (readonly [ms: number, text: string])[] = [
  [-5 * SECOND, "<invalid>"],
  [-SECOND, "0s"],
  [0, "0s"],
  [119 * SECOND, "119s"],
  [120 * SECOND, "2m"],
  [150 * SECOND, "2m30s"],
  [10 * MINUTE + 5 * SECOND, "10m"],
  [179 * MINUTE, "179m"],
  [3 * HOUR, "3h"],
  [3 * HOUR + 20 * MINUTE, "3h20m"],
  [47 * HOUR + MINUTE, "47h"],
  [2 * DAY, "2d"],
  [2 * DAY + 5 * HOUR, "2d5h"],
  [8 * DAY + 5 * HOUR, "8d"],
  [2 * 365 * DAY, "2y"],
  [2 * 365 * DAY + 3 * DAY, "2y3d"],
  [9 * 365 * DAY + 3 * DAY, "9y"],
];
for (const [ms, text] of CASES) {
  Deno.test(`${ms} milliseconds are ${text}`, () => assert.equal(humanDuration(ms), text));
}

Deno.test("an absent time has the age <unknown>", () => {
  assert.equal(ageOf(null, new Date(0)), "<unknown>");
});
