import assert from "node:assert/strict";
import { QUANTITIES } from "./quantities.ts";

const isQuantity = QUANTITIES.implementations.is_quantity_string!;

Deno.test("isQuantity() takes linear time for a long text that is no quantity", () => {
  for (const text of ["1Gi", "+.5", "1e-3", "1.", "12"]) assert.equal(isQuantity(text), true, text);
  const long = "1".repeat(1_000_000);
  const others = ["", "1-3", "1+", ".", `${long}x`, `${long}.${long}e.`, `${long}\n1\n`];
  for (const text of others) assert.equal(isQuantity(text), false, text.slice(-5));
});
