import assert from "node:assert/strict";
import { parseWarnings, Warnings } from "./warnings.ts";

Deno.test("parseWarnings() reads several, with escapes, commas and dates, and code 299 alone", () => {
  assert.deepEqual(
    parseWarnings(`299 - "use \\"b\\", not a", 299 - "old", 199 - "other", 299 a:1 "x" "a date"`),
    [`use "b", not a`, "old", "x"],
  );
  assert.deepEqual(parseWarnings("nonsense"), []);
});

Deno.test("Warnings tells each text once", () => {
  const told: string[] = [];
  const warnings = new Warnings((text) => told.push(text));
  warnings.note(new Headers({ warning: `299 - "a"` }));
  warnings.note(new Headers([["warning", `299 - "b"`], ["warning", `299 - "a"`]]));
  warnings.note(new Headers());
  assert.deepEqual(told, ["a", "b"]);
});
