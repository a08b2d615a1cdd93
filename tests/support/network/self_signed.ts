import { signCertificate } from "../../../lib/apimachinery/pki/certificate.ts";
import { generateKeys, privatePem } from "../../../lib/apimachinery/pki/key_pair.ts";
import type { PemPair } from "../../../lib/apimachinery/pki/mod.ts";

/**
 * Returns a self-signed serving certificate for 127.0.0.1 that does not claim to be an authority.
 */
export async function selfSigned(now: Date): Promise<PemPair> {
  const { privateKey, publicKey } = await generateKeys();
  const subject = { commonName: "self" };
  const cert = signCertificate({
    subject,
    publicKey,
    notBefore: new Date(now.getTime() - 60_000),
    notAfter: new Date(now.getTime() + 3_600_000),
    names: { dns: [], ips: ["127.0.0.1"] },
  }, { subject, key: privateKey });
  return { cert, key: privatePem(privateKey) };
}
