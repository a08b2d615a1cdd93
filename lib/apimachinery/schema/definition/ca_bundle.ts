// Mirrors `util/webhook/validation.go, ValidateCABundle`.
import { Buffer } from "node:buffer";
import { X509Certificate } from "node:crypto";

const CERTIFICATE = /-----BEGIN CERTIFICATE-----\s[^-]*-----END CERTIFICATE-----/g;

/**
 * Returns the reason why a webhook's CA bundle (PEM in base64) is invalid; `undefined` when it is
 * empty or one of its certificates can be parsed.
 */
export function caBundleProblem(bundle: string): string | undefined {
  const pem = Buffer.from(bundle, "base64").toString("latin1");
  if (pem === "") return undefined;
  const problem = (why: string): string => `unable to load root certificates: ${why}`;
  const blocks = pem.match(CERTIFICATE);
  if (!blocks) {
    return problem(
      pem.includes("-----BEGIN")
        ? "no valid certificate authority data seen"
        : "unable to parse bytes as PEM block",
    );
  }
  for (const block of blocks) {
    try {
      new X509Certificate(block);
      return undefined;
    } catch {
      // Another certificate of the bundle may be valid.
    }
  }
  return problem("failed to parse certificate: x509: malformed certificate");
}
