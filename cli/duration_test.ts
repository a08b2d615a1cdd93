import assert from "node:assert/strict";
import { parseGoDuration } from "./duration.ts";

Deno.test("parseGoDuration() reads what Go writes, and refuses what is no duration", () => {
  const cases: [string, number | undefined][] = [
    ["0", 0],
    ["0s", 0],
    ["-0s", 0],
    ["30s", 30_000],
    ["+30s", 30_000],
    ["1m30s", 90_000],
    ["1.5h", 5_400_000],
    [".5s", 500],
    ["250ms", 250],
    ["-1s", -Infinity],
    ["-1m30s", -Infinity],
    ["5", undefined],
    ["s", undefined],
    ["", undefined],
    ["-", undefined],
    ["1 s", undefined],
    ["1s5", undefined],
    ["1.2.3s", undefined],
    ["Infinity", undefined],
  ];
  for (const [text, ms] of cases) assert.equal(parseGoDuration(text), ms, JSON.stringify(text));
});
