import assert from "node:assert/strict";
import { warningHeaders } from "./warning_headers.ts";

Deno.test("a warning is quoted and encoded in UTF-8", () => {
  assert.deepEqual(warningHeaders(['unknown field "a\\b"', "", "é×\u{1f600}"]), [
    '299 - "unknown field \\"a\\\\b\\""',
    '299 - "\xc3\xa9\xc3\x97\xf0\x9f\x98\x80"',
  ]);
  const headers = new Headers();
  for (const each of warningHeaders(["é"])) headers.append("Warning", each);
  assert.equal(headers.get("warning"), '299 - "\xc3\xa9"');
});

Deno.test("a warning that a header cannot carry is dropped", () => {
  assert.deepEqual(warningHeaders(["a\nb", "a\u0085", "c"]), ['299 - "c"']);
});

Deno.test("too many warnings are shortened, and the last ones dropped", () => {
  const long = (letter: string): string => letter.repeat(1000);
  assert.deepEqual(
    warningHeaders(["a", "b", "c", "d"].map(long)).map((text) => text.length),
    [1008, 1008, 1008, 1008],
  );
  const cut = warningHeaders(["a", "b", "c", "d", "e"].map(long));
  assert.deepEqual(cut.map((text) => text.length), [264, 264, 264, 264, 264]);
  assert.equal(warningHeaders(Array.from({ length: 30 }, () => long("x"))).length, 16);
});
