import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { directoryString } from "./der.ts";
import { derValues } from "./der_reader.ts";

Deno.test("directoryString() is a PrintableString only where Go's encoding/asn1 chooses one", () => {
  const [printable, utf8] = [0x13, 0x0c];
  for (const text of ["", "system:nodes", "Acme (Test), Inc. +1/2-3='x'?"]) {
    assert.equal(directoryString(text)[0], printable, text);
  }
  // encoding/asn1, isPrintable with rejectAsterisk and rejectAmpersand.
  for (const text of ["A&B", "*.example.org", "a@b", "é"]) {
    assert.equal(directoryString(text)[0], utf8, text);
  }
});

Deno.test("derValues() refuses the lengths that Go's encoding/asn1 refuses", () => {
  const refused: readonly (readonly [string, string])[] = [
    ["30", "syntax error: truncated tag or length"],
    ["3081", "syntax error: truncated tag or length"],
    ["3002ff", "syntax error: data truncated"],
    ["30800000", "syntax error: indefinite length found (not DER)"],
    ["0480", "syntax error: indefinite length found (not DER)"],
    ["3082000100", "structure error: superfluous leading zeros in length"],
    ["308101ff", "structure error: non-minimal length"],
    ["308501000000000", "structure error: length too large"],
  ];
  for (const [bytes, problem] of refused) {
    const message = `asn1: ${problem}`;
    assert.throws(() => derValues(Buffer.from(bytes, "hex")), { message }, bytes);
  }
  const long = Buffer.concat([Buffer.from("048180", "hex"), Buffer.alloc(0x80)]);
  assert.deepEqual(derValues(long).map(({ content }) => content.length), [0x80]);
});
