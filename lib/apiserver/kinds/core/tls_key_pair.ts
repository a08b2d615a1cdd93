import { createPrivateKey, X509Certificate } from "node:crypto";

const BLOCK = /-----BEGIN ([^-]+)-----(?:(?!-----BEGIN )[\s\S])*?-----END \1-----/g;

/**
 * Returns the reason why the first certificate and the first private key in two PEM texts are not a
 * valid pair, in the words of Go's TLS package; `undefined` for a valid pair.
 */
export function keyPairProblem(certificate: string, key: string): string | undefined {
  const leaf = blocks(certificate).find(({ type }) => type === "CERTIFICATE");
  if (!leaf) return missingCertificate(blocks(certificate));
  const privateKey = blocks(key)
    .find(({ type }) => type === "PRIVATE KEY" || type.endsWith(" PRIVATE KEY"));
  if (!privateKey) return missingKey(blocks(key));
  let parsed: X509Certificate;
  try {
    parsed = new X509Certificate(leaf.text);
  } catch {
    return "x509: malformed certificate";
  }
  try {
    const secret = createPrivateKey(privateKey.text);
    if (parsed.checkPrivateKey(secret)) return undefined;
    return secret.asymmetricKeyType === parsed.publicKey.asymmetricKeyType
      ? "tls: private key does not match public key"
      : "tls: private key type does not match public key type";
  } catch {
    return "tls: failed to parse private key";
  }
}

interface Block {
  readonly type: string;
  readonly text: string;
}

function blocks(pem: string): Block[] {
  return [...pem.matchAll(BLOCK)].map(([text, type]) => ({ text, type: type! }));
}

function missingCertificate(found: readonly Block[]): string {
  if (found.length === 0) return "tls: failed to find any PEM data in certificate input";
  if (found.length === 1 && found[0]!.type.endsWith("PRIVATE KEY")) {
    return "tls: failed to find certificate PEM data in certificate input, but did find a private " +
      "key; PEM inputs may have been switched";
  }
  const types = found.map(({ type }) => type).join(" ");
  return 'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM ' +
    `blocks of the following types: [${types}]`;
}

function missingKey(found: readonly Block[]): string {
  if (found.length === 0) return "tls: failed to find any PEM data in key input";
  if (found.length === 1 && found[0]!.type === "CERTIFICATE") {
    return "tls: found a certificate rather than a key in the PEM for the private key";
  }
  const types = found.map(({ type }) => type).join(" ");
  return 'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after ' +
    `skipping PEM blocks of the following types: [${types}]`;
}
