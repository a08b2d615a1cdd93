import assert from "node:assert/strict";
import { SCHEMA_CODE } from "../schema_code.ts";
import { hasFormat } from "./formats.ts";

const code = await SCHEMA_CODE.get();

const LONG = 1_000_000;

Deno.test("an email is an address with or without a display name, as in Go", () => {
  const valid = [
    "a@b.example",
    " a.b@c ",
    "<a@b>",
    'A. "B <C>" D<a@b> ',
    '"<"@b',
    "a@ [10.0.0.1]",
  ];
  const invalid = ["a", "a@", "@b", "a@b>", "<a@b", "A a@b", "a..b@c", '""@b', "a@b\n", '"A <a@b>'];
  for (const text of valid) assert.equal(hasFormat(code, "email", text), true, text);
  for (const text of invalid) assert.equal(hasFormat(code, "email", text), false, text);
});

Deno.test("a long text that is no email is refused in linear time", () => {
  for (const part of ["a", " ", "\u00a0", ".", "a ", "a.", '"a"', '"', "a@"]) {
    assert.equal(hasFormat(code, "email", part.repeat(LONG)), false, part);
    assert.equal(hasFormat(code, "email", `a@b${part.repeat(LONG)}\n`), false, part);
  }
});

Deno.test("a long text that is no duration is refused in linear time", () => {
  assert.equal(hasFormat(code, "duration", "1.5h"), true);
  assert.equal(hasFormat(code, "duration", "1.h"), true);
  assert.equal(hasFormat(code, "duration", "x12 3 days"), true);
  for (const text of ["1".repeat(LONG), `${"1".repeat(LONG)}${" ".repeat(LONG)}`]) {
    assert.equal(hasFormat(code, "duration", text), false);
  }
});
