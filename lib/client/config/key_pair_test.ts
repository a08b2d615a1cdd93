import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import type { Random } from "@xca/apimachinery/base";
import { CertificateAuthority, type KeyKind } from "@xca/apimachinery/pki";
import { printedRandom } from "../../../tests/support/seed.ts";
import { carriesKeyOf } from "./key_pair.ts";

const ca = await CertificateAuthority.create("ca", new Date("2026-01-01T00:00:00Z"));
const signed = (kind: KeyKind) => ca.client("alice", [], kind);

Deno.test("carriesKeyOf() recognises the RSA or EC key of a certificate, in each encoding", async () => {
  const forms = { RSA: "pkcs1", "P-256": "sec1", "P-384": "sec1" } as const;
  for (const [kind, type] of Object.entries(forms)) {
    const { cert, key } = await signed(kind as KeyKind);
    assert(carriesKeyOf(cert, key), kind);
    const older = createPrivateKey(key).export({ type, format: "pem" }) as string;
    assert(carriesKeyOf(cert, older), `${kind} as ${type}`);
    const other = await signed(kind as KeyKind);
    assert(!carriesKeyOf(cert, other.key), `${kind} of another`);
  }
});

Deno.test("carriesKeyOf() does not decide on a key without its public key", async () => {
  const { cert, key } = await signed("Ed25519");
  assert(!carriesKeyOf(cert, key));
});

Deno.test("carriesKeyOf() never matches damaged certificates and keys, and does not throw", async () => {
  const { random } = printedRandom();
  const [alice, bob] = [await signed("RSA"), await signed("RSA")];
  for (let i = 0; i < 2_000; i++) {
    assert(!carriesKeyOf(damaged(alice.cert, random), damaged(bob.key, random)));
    carriesKeyOf(damaged(alice.cert, random), damaged(alice.key, random));
  }
});

/** Returns PEM text with some of its bytes changed. */
function damaged(pem: string, random: Random): string {
  const lines = pem.trim().split("\n");
  const bytes = Uint8Array.fromBase64(lines.slice(1, -1).join(""));
  for (let left = 1 + random.next() * 4; left > 0; left--) {
    bytes[Math.floor(random.next() * bytes.length)] = Math.floor(random.next() * 256);
  }
  const cut = random.next() < 0.1 ? Math.floor(random.next() * bytes.length) : bytes.length;
  return [lines[0], bytes.subarray(0, cut).toBase64(), lines.at(-1)].join("\n");
}
