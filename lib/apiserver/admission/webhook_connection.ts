import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { ConnectionOptions, TLSSocket } from "node:tls";
import { systemClock } from "@xca/apimachinery/base";

/** The parameters of a TLS connection to a webhook. */
export interface ConnectionTarget {
  readonly host: string;
  readonly port: number;
  /** The host name that the webhook's certificate must be valid for. */
  readonly serverName: string;
  /**
   * The certificates that the connection to a webhook trusts, as PEM text; empty for the root
   * certificates of the machine.
   */
  readonly ca: string;
  readonly signal: AbortSignal;
}

type Connect = (target: ConnectionTarget) => Promise<TLSSocket>;

/** The error for a presented certificate that is not in the webhook's `caBundle`. */
class NotInBundle extends Error {}

/**
 * Connects to a webhook over TLS; resolves to the open connection. A certificate is trusted if a
 * certificate authority of the `caBundle` signed it, or if the bundle contains it, as in Go's
 * `x509.Certificate.Verify`: `envtest` and self-signed set-ups use a webhook's own certificate as
 * its `caBundle`. Without a bundle, the machine's root certificates are trusted.
 *
 * @throws {Error} If the connection fails, or the certificate is not trusted.
 */
export async function connectToWebhook(target: ConnectionTarget): Promise<TLSSocket> {
  const bundle = certificatesOf(target.ca);
  if (bundle.length === 0) return await connectByAuthority(target);
  const shown: Connect = (to) => connectByBundle(to, bundle);
  // A bundled certificate that is not a CA can only be the serving certificate itself.
  const isOwn = bundle.some(({ ca }) => !ca);
  return await (isOwn
    ? either(target, shown, connectByAuthority)
    : either(target, connectByAuthority, shown));
}

async function either(
  target: ConnectionTarget,
  first: Connect,
  second: Connect,
): Promise<TLSSocket> {
  try {
    return await first(target);
  } catch (error) {
    if (!isCertificateProblem(error)) throw error;
    try {
      return await second(target);
    } catch (other) {
      throw other instanceof NotInBundle ? error : other;
    }
  }
}

/**
 * The error for a webhook's certificate that is expired, not yet valid, or issued for another host
 * name. The message is Go's.
 */
export class CertificateError extends Error {
  constructor(why: string) {
    super(`tls: failed to verify certificate: x509: ${why}`);
  }
}

/**
 * Reports whether a connection to a webhook failed because the webhook's certificate is not
 * trusted; false for a {@linkcode CertificateError}.
 */
export function isCertificateProblem(error: unknown): boolean {
  const { code = "", message } = error as Error & { code?: string };
  return error instanceof NotInBundle ||
    /UnknownIssuer|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|CaUsedAsEndEntity|unable to|self.signed|invalid peer certificate/i
      .test(`${code} ${message}`);
}

async function connectByAuthority(target: ConnectionTarget): Promise<TLSSocket> {
  const { ca, serverName } = target;
  try {
    return await connected(target, ca.trim() === "" ? {} : { ca });
  } catch (error) {
    const { code = "", message } = error as Error & { code?: string };
    if (!/NotValidForName|ALTNAME/i.test(`${code} ${message}`)) throw error;
    // The runtime's error does not name the hosts of the certificate, which a second connection
    // reads.
    const socket = await connected(target, { rejectUnauthorized: false });
    const { raw } = socket.getPeerCertificate(true);
    socket.destroy();
    throw new CertificateError(nameProblem(new X509Certificate(raw), serverName));
  }
}

/**
 * Connects to a webhook over TLS, and checks that the webhook's `caBundle` contains the certificate
 * that the webhook presents, before anything is sent.
 *
 * @throws {NotInBundle} If it does not.
 * @throws {CertificateError} If the certificate is not valid now, or not for the host name.
 */
async function connectByBundle(
  target: ConnectionTarget,
  bundle: readonly X509Certificate[],
): Promise<TLSSocket> {
  const socket = await connected(target, { rejectUnauthorized: false });
  try {
    const { raw } = socket.getPeerCertificate(true);
    const certificate = bundle.find((each) => each.raw.equals(raw));
    if (!certificate) throw new NotInBundle("unable to verify the certificate");
    checkCertificate(certificate, target);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/**
 * Checks that a webhook's certificate is valid now and for the webhook's host name.
 *
 * @throws {CertificateError}
 */
function checkCertificate(certificate: X509Certificate, { serverName }: ConnectionTarget): void {
  const now = systemClock.now(); // The runtime validates CA-signed certificates by the same clock.
  const from = new Date(certificate.validFrom);
  const until = new Date(certificate.validTo);
  if (now < from || now > until) {
    const side = now < from ? `before ${goTime(from)}` : `after ${goTime(until)}`;
    throw new CertificateError(
      `certificate has expired or is not yet valid: current time ${goTime(now)} is ${side}`,
    );
  }
  const holds = isIP(serverName) === 0
    ? certificate.checkHost(serverName)
    : certificate.checkIP(serverName);
  // Go ignores the common name.
  if (holds === undefined || !certificate.subjectAltName) {
    throw new CertificateError(nameProblem(certificate, serverName));
  }
}

/**
 * Returns Go's message about a certificate that is not for the wanted host name
 * (`x509.HostnameError`).
 */
function nameProblem({ subjectAltName = "" }: X509Certificate, name: string): string {
  const kind = isIP(name) === 0 ? "DNS:" : "IP Address:";
  const names = subjectAltName.split(", ").filter((each) => each.startsWith(kind))
    .map((each) => each.slice(kind.length));
  if (names.length > 0) return `certificate is valid for ${names.join(", ")}, not ${name}`;
  return isIP(name) === 0
    ? `certificate is not valid for any names, but wanted to match ${name}`
    : `cannot validate certificate for ${name} because it doesn't contain any IP SANs`;
}

/** Formats a date as RFC 3339 without fractions, as in Go's messages. */
function goTime(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}

/**
 * Opens a TLS connection to a webhook, and resolves to its socket after the TLS handshake. Rejects
 * if the connection fails, or is aborted by the signal.
 */
async function connected(
  { host, port, serverName, signal }: ConnectionTarget,
  trust: Pick<ConnectionOptions, "ca" | "rejectUnauthorized">,
): Promise<TLSSocket> {
  signal.throwIfAborted();
  // Loading node:tls takes a tenth of the start time of an in-process API server, and few servers
  // call webhooks.
  const { connect } = await import("node:tls");
  signal.throwIfAborted();
  const socket = connect({
    host,
    port,
    ...trust,
    ...(serverName !== host && { servername: serverName }),
  });
  const abort = (): void => void socket.destroy(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await new Promise((resolve, reject) => {
      socket.on("error", reject);
      socket.on("close", () => reject(new Error("the connection was closed")));
      socket.on("secureConnect", () => resolve(socket));
    });
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----\s[^-]*-----END CERTIFICATE-----/g;

/**
 * Returns the certificates of a `caBundle` (PEM text) in order, without the invalid ones, which Go
 * skips as well.
 */
function certificatesOf(pem: string): X509Certificate[] {
  return (pem.match(CERTIFICATE) ?? []).flatMap((block) => {
    try {
      return [new X509Certificate(block)];
    } catch {
      return [];
    }
  });
}
