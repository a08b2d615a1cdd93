import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { CertificateAuthority, generateSigningKey } from "./certificate_authority.ts";

const NOW = new Date("2026-01-01T00:00:00Z");

Deno.test("certificates are signed by their authority, and valid around the given date alone", async () => {
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

Deno.test("a client's name and groups are kept as they are, whatever characters they have", async () => {
  const ca = await CertificateAuthority.create("ca", NOW);
  const name = 'jane "x", #y + z=ü';
  const { cert } = await ca.client(name, ["system:masters", "#1"]);
  const { subject } = new X509Certificate(cert).toLegacyObject();
  assert.deepEqual({ ...subject }, { CN: name, O: ["system:masters", "#1"] });
});

Deno.test("a signing key verifies what it signed", async () => {
  const pair = await generateSigningKey();
  const { createSign, createVerify } = await import("node:crypto");
  const signature = createSign("sha256").update("text").sign(pair.privateKey);
  assert.ok(createVerify("sha256").update("text").verify(pair.publicKey, signature));
});
