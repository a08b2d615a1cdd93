import type { PemPair } from "../../lib/testing/certificate_authority.ts";

/** A serving certificate for 127.0.0.1 that signed itself and does not say that it is an authority. */
export async function selfSigned(now: Date): Promise<PemPair> {
  await import("reflect-metadata");
  const x509 = await import("@peculiar/x509");
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=self",
    keys,
    notBefore: new Date(now.getTime() - 60_000),
    notAfter: new Date(now.getTime() + 3_600_000),
    signingAlgorithm: algorithm,
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: "ip", value: "127.0.0.1" }])],
  });
  const der = new Uint8Array(await crypto.subtle.exportKey("pkcs8", keys.privateKey));
  const key = `-----BEGIN PRIVATE KEY-----\n${der.toBase64()}\n-----END PRIVATE KEY-----\n`;
  return { cert: cert.toString("pem"), key };
}
