import type { PeerCertificate } from "node:tls";
import { shown } from "../../config/config_place.ts";

/** Matches the codes of TLS handshakes that failed for lack of trust, without the reason. */
const DISTRUST = /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_)/;

/**
 * Reports whether an error says that the certificate of the server is untrusted, without the
 * reason.
 */
export function isDistrust(error: Error & { readonly code?: unknown }): boolean {
  return DISTRUST.test(String(error.code));
}

/**
 * Adds the certificate that the server presented to an error: since the runtime reports all
 * problems of certificates, such as expiry, by the same name.
 */
export function withCertificate(
  error: Error & { readonly code?: unknown },
  certificate: PeerCertificate,
  now: Date,
): Error {
  const [from, to] = [new Date(certificate.valid_from), new Date(certificate.valid_to)];
  const early = now < from;
  const late = now > to;
  const time = (date: Date): string =>
    Number.isNaN(date.getTime()) ? "?" : date.toISOString().replace(".000", "");
  const facts = `it is for ${nameOf(certificate.subject)} (${
    shown(certificate.subjectaltname ?? "no names")
  }), by ${nameOf(certificate.issuer)}, valid from ${time(from)} to ${time(to)}`;
  const what = late
    ? "the server's certificate has expired"
    : early
    ? "the server's certificate is not valid yet"
    : error.message;
  const code = late ? "CERT_HAS_EXPIRED" : early ? "CERT_NOT_YET_VALID" : error.code;
  return Object.assign(new Error(`${what}: ${facts}`, { cause: error.cause }), { code });
}

/**
 * Returns the distinguished name of a certificate as one line: `CN=kubernetes, O=acme`. The name
 * comes from an untrusted source, and is quoted.
 */
function nameOf(name: PeerCertificate["subject"] | undefined): string {
  const { CN, O } = name ?? {};
  const parts = [CN && `CN=${CN}`, O && `O=${O}`].filter((part) => part);
  return parts.length === 0 ? "nobody" : shown(parts.join(", "));
}
