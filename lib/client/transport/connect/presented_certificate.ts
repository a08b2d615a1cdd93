import type { PeerCertificate } from "node:tls";
import { shown } from "../../config/config_place.ts";

/**
 * The pattern of the codes of TLS handshakes that failed for lack of trust. A code does not say the
 * reason.
 */
const DISTRUST = /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_)/;

/**
 * Reports whether an error says that the certificate of the server is untrusted, without saying
 * why.
 */
export function isDistrust(error: Error & { readonly code?: unknown }): boolean {
  return DISTRUST.test(String(error.code));
}

/**
 * Returns an error whose message adds a description of the certificate that the server presented to
 * that of another error. For a certificate that has expired or is not valid yet, the message and
 * the code say so: the runtime reports all problems of certificates alike.
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
 * Returns the common name and the organization in a name of a certificate, `CN=kubernetes, O=acme`,
 * as one printable line of limited length, since the text comes from an untrusted source; `nobody`
 * without both.
 */
function nameOf(name: PeerCertificate["subject"] | undefined): string {
  const { CN, O } = name ?? {};
  const parts = [CN && `CN=${CN}`, O && `O=${O}`].filter((part) => part);
  return parts.length === 0 ? "nobody" : shown(parts.join(", "));
}
