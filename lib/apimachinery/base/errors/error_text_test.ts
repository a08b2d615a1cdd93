import assert from "node:assert/strict";
import { errorText } from "./error_text.ts";

Deno.test("errorText() lists the causes, once each, in one line", () => {
  const refused = new Error("tcp connect error:\n  Connection refused");
  const sending = new TypeError("error sending request", { cause: refused });
  assert.equal(
    errorText(new Error("Cannot list pods", { cause: sending })),
    "Cannot list pods: error sending request: tcp connect error: Connection refused",
  );
  assert.equal(errorText(new Error("a: b", { cause: new Error("b") })), "a: b");
  assert.equal(errorText("just text"), "just text");
  assert.equal(errorText(new Error("", { cause: "why" })), "Error: why");
});

Deno.test("errorText() ends when a cause refers back to itself", () => {
  const error = new Error("round");
  error.cause = new Error("and round", { cause: error });
  assert.equal(errorText(error), "round: and round");
});
