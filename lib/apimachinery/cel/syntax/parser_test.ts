import assert from "node:assert/strict";
import { parseExpression } from "./parser.ts";

Deno.test("an expression that nests too deep is refused, however deep it is", () => {
  for (const depth of [300, 5_000, 10_000]) {
    for (const [open, close] of [["(", ")"], ["[", "]"], ["{1: ", "}"], ["f(", ")"]] as const) {
      const { expr, errors } = parseExpression(open.repeat(depth) + "1" + close.repeat(depth));
      assert.equal(expr, undefined);
      assert.match(
        String(errors),
        /expression recursion limit exceeded: 250/,
        `${depth} of ${open}`,
      );
    }
  }
});
