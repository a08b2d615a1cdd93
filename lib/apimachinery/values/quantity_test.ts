import assert from "node:assert/strict";
import { milliValue, wholeValue } from "./quantity.ts";

Deno.test("the values of quantities are rounded away from zero, as by Value and MilliValue in Go", () => {
  const cases = [
    ["1500m", 2n, 1500n],
    ["-1500m", -2n, -1500n],
    ["-1.5", -2n, -1500n],
    ["-0.1", -1n, -100n],
    ["-100u", -1n, -1n],
    ["100u", 1n, 1n],
    ["-1.0005", -2n, -1001n],
    ["-2", -2n, -2000n],
    ["-1.5Ki", -1536n, -1536000n],
  ] as const;
  for (const [quantity, whole, milli] of cases) {
    assert.deepEqual([wholeValue(quantity), milliValue(quantity)], [whole, milli], quantity);
  }
});
