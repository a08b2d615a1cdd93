import assert from "node:assert/strict";
import { parseDouble } from "./go_numbers.ts";

Deno.test("parseDouble() takes linear time for a long text that is no number", () => {
  const numbers = { "1.": 1, ".5": 0.5, "1.5e1": 15, "0x1p1": 2, "0x.8p0": 0.5, "0x1.8p1": 3 };
  for (const [text, value] of Object.entries(numbers)) assert.equal(parseDouble(text), value, text);
  const long = "1".repeat(1_000_000);
  const others = ["", ".", "0x.p1", `${long}x`, `${long}.${long}x`, `0x${long}x`];
  for (const text of others) assert.equal(parseDouble(text), undefined, text.slice(-5));
});
