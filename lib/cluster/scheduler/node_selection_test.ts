import assert from "node:assert/strict";
import { tolerates } from "./node_selection.ts";

Deno.test("tolerations compare integers of 64 bits exactly", () => {
  const isTolerated = (operator: "Gt" | "Lt", value: string, given: string) =>
    tolerates({ key: "a", operator, value }, { key: "a", value: given, effect: "NoSchedule" });
  assert.equal(isTolerated("Gt", "9223372036854775806", "9223372036854775807"), true);
  assert.equal(isTolerated("Lt", "9223372036854775807", "9223372036854775806"), true);
  assert.equal(isTolerated("Gt", "1", "9223372036854775808"), false);
  assert.equal(isTolerated("Lt", "9223372036854775808", "1"), false);
  assert.equal(isTolerated("Lt", "1", ""), false);
});
