import assert from "node:assert/strict";
import {
  certificatesFault,
  certificateTexts,
  decodeBase64,
  pemBlocks,
  privateKeyFault,
  privateKeyText,
} from "./pem.ts";

function block(label: string, body: string): string {
  return `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`;
}

Deno.test("pemBlocks() finds all blocks and ignores the text around them", () => {
  const text = `intro\n${block("A", "YWJj")}\r\nnotes\n${block("B C", "Zg==")}end`;
  assert.deepEqual(
    pemBlocks(text).map(({ label, bytes }) => [label, new TextDecoder().decode(bytes)]),
    [["A", "abc"], ["B C", "f"]],
  );
});

Deno.test("pemBlocks() ignores a block that is incomplete, or ends with another label", () => {
  assert.deepEqual(pemBlocks("-----BEGIN A-----\nYWJj\n"), []);
  assert.deepEqual(pemBlocks("-----BEGIN A-----\nYWJj\n-----END B-----\n"), []);
  const [only, ...more] = pemBlocks(`-----BEGIN A-----\nYWJj\n${block("B", "Zg==")}`);
  assert.deepEqual([only?.label, more.length], ["B", 0]);
});

Deno.test("pemBlocks() allows spaces after a line and within base64, but not before -----BEGIN", () => {
  const spaced = "-----BEGIN A-----  \r\n  YWJj\t\r\n-----END A-----  \r\n";
  assert.equal(new TextDecoder().decode(pemBlocks(spaced)[0]?.bytes), "abc");
  assert.deepEqual(pemBlocks(block("A", "YWJj").replaceAll(/^/gm, " ")), []);
});

Deno.test("certificates and the private key are found in a text that contains both", () => {
  const [one, two] = [block("CERTIFICATE", "MAA="), block("CERTIFICATE", "MAEA")];
  const key = block("PRIVATE KEY", "MAIAAA==");
  const rest = block("CERTIFICATE", "MAU=") + block("EC PARAMETERS", "MAA=") + "# notes\r\n";
  for (const text of [key + rest + one + two, rest + one + key + two, one + two + rest + key]) {
    assert.deepEqual(certificateTexts(text), [one, two]);
    assert.equal(privateKeyText(text), key);
  }
  assert.equal(privateKeyText(rest), rest);
});

Deno.test("a certificate with headers is invalid, as in Go", () => {
  assert.match(certificatesFault(block("CERTIFICATE", "Name: x\n\nMAA=")) ?? "", /damaged/);
});

Deno.test("the bytes of a certificate are one complete ASN.1 sequence", () => {
  const fault = (bytes: number[]): string | undefined =>
    certificatesFault(block("CERTIFICATE", new Uint8Array(bytes).toBase64()));
  assert.equal(fault([0x30, 0x01, 0x00]), undefined);
  assert.equal(fault([0x30, 0x81, 0x02, 0, 0]), undefined);
  const damaged = [[], [0x30], [0x31, 0], [0x30, 2, 0], [0x30, 0, 0], [0x30, 0x80], [0x30, 0x85]];
  for (const bytes of damaged) assert.match(fault(bytes) ?? "", /damaged/, String(bytes));
});

Deno.test("a public key is not accepted as a private key", () => {
  assert.match(privateKeyFault(block("PUBLIC KEY", "MAA=")) ?? "", /PUBLIC KEY, no private key/);
});

Deno.test("decodeBase64() is as strict as Go: it requires padding, ignores line breaks and refuses spaces", () => {
  assert.deepEqual(decodeBase64(""), new Uint8Array());
  assert.deepEqual(decodeBase64("Y\r\nQ=\n="), new Uint8Array([97]));
  for (const text of ["YQ", "Y Q==", "YQ===", "=", "YQ==YQ==", "Y-_="]) {
    assert.equal(decodeBase64(text), undefined, text);
  }
});
