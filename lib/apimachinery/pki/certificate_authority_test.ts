import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { CertificateAuthority } from "./certificate_authority.ts";
import { checkPair, parseCertificate } from "./check_pair.ts";
import { generateSigningKey, type KeyKind } from "./key_pair.ts";

const NOW = new Date("2026-01-01T00:00:00Z");

Deno.test("certificates are signed by their authority, and valid around the given date only", async () => {
  const ca = await CertificateAuthority.create("ca", NOW);
  const root = new X509Certificate(ca.cert);
  const { cert, key } = await ca.serving("server", ["localhost"], ["127.0.0.1"]);
  const serving = new X509Certificate(cert);
  assert.equal(root.ca, true);
  assert.ok(serving.verify(root.publicKey));
  assert.equal(serving.checkHost("localhost"), "localhost");
  assert.equal(serving.checkIP("127.0.0.1"), "127.0.0.1");
  assert.equal(serving.checkHost("example.com"), undefined);
  assert.ok(new Date(serving.validFrom) < NOW && new Date(serving.validTo) > NOW);
  assert.match(key, /^-----BEGIN PRIVATE KEY-----\n/);
});

Deno.test("the name and groups of a client certificate may have any characters", async () => {
  const ca = await CertificateAuthority.create("ca", NOW);
  const name = 'jane "x", #y + z=ü';
  const { cert } = await ca.client(name, ["system:masters", "#1"]);
  const { subject } = new X509Certificate(cert).toLegacyObject();
  assert.deepEqual({ ...subject }, { CN: name, O: ["system:masters", "#1"] });
});

Deno.test("a signing key verifies its own signatures", async () => {
  const pair = await generateSigningKey();
  const { createSign, createVerify } = await import("node:crypto");
  const signature = createSign("sha256").update("text").sign(pair.privateKey);
  assert.ok(createVerify("sha256").update("text").verify(pair.publicKey, signature));
});

Deno.test("an authority that is loaded from its pair signs certificates", async () => {
  const made = await CertificateAuthority.create("keeps", NOW, { days: 3650 });
  const later = new Date("2030-01-01T00:00:00Z");
  const loaded = CertificateAuthority.load(made.pair, later);
  const pair = await loaded.serving("s", ["localhost"], ["127.0.0.1", "::1", "fd00::1:0"]);
  assert.equal(
    checkPair(pair, {
      at: later,
      ca: made.cert,
      hosts: ["localhost", "127.0.0.1", "::1", "fd00::1:0"],
    }),
    undefined,
  );
  const other = await CertificateAuthority.create("other", NOW);
  assert.throws(() => CertificateAuthority.load({ cert: made.cert, key: other.pair.key }, NOW));
});

Deno.test("checkPair() returns the reason why a pair is not valid", async () => {
  const ca = await CertificateAuthority.create("ca", NOW);
  const other = await CertificateAuthority.create("ca", NOW);
  const pair = await ca.serving("s", ["localhost"], []);
  const second = await ca.serving("s", ["localhost"], []);
  const at = (offsetMs: number): Date => new Date(NOW.getTime() + offsetMs);
  assert.equal(
    checkPair({ ...pair, key: second.key }, { at: NOW }),
    "the key belongs to another certificate",
  );
  assert.match(checkPair(pair, { at: at(-3_600_000) })!, /valid from 2025-12-31T23:55:00/);
  assert.match(checkPair(pair, { at: at(2 * 86_400_000) })!, /valid until 2026-01-02T00:00:00/);
  assert.equal(checkPair(pair, { at: NOW, ca: other.cert }), "another authority signed it");
  assert.equal(
    checkPair(pair, { at: NOW, hosts: ["::1"] }),
    "it does not hold for ::1, but for localhost",
  );
  assert.match(checkPair({ cert: "", key: "" }, { at: NOW })!, /cannot be read/);
});

for (const kind of ["RSA", "P-256", "P-384", "Ed25519"] satisfies KeyKind[]) {
  Deno.test(`a client may have a key of kind ${kind}`, async () => {
    const ca = await CertificateAuthority.create("ca", NOW);
    const pair = await ca.client("jane", ["a", "b"], kind);
    assert.equal(checkPair(pair, { at: NOW, ca: ca.cert }), undefined);
    const { commonName, organizations } = parseCertificate(pair.cert);
    assert.deepEqual({ commonName, organizations }, {
      commonName: "jane",
      organizations: ["a", "b"],
    });
  });
}

Deno.test("a certificate may outlast the year 2049", async () => {
  const ca = await CertificateAuthority.create("ca", NOW, { days: 36_500 });
  assert.equal(parseCertificate(ca.cert).notAfter.getUTCFullYear(), 2125);
});

Deno.test("an invalid address is refused", async () => {
  const ca = await CertificateAuthority.create("ca", NOW);
  await assert.rejects(ca.serving("s", [], ["300.0.0.1"]), TypeError);
});
