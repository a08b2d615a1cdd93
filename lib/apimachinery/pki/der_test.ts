import assert from "node:assert/strict";
import { directoryString } from "./der.ts";

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
