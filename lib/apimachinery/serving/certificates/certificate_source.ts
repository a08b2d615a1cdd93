import type { Clock } from "../../base/time/clock.ts";
import type { PemPair } from "../../pki/pem.ts";

/** A certificate with its key that a {@linkcode CertificateSource} found, not checked yet. */
export interface OfferedCertificate {
  /** The certificate of the server, followed by its intermediates, and the private key. */
  readonly pair: PemPair;
  /**
   * The certificate authorities by which clients verify the certificate, as PEM text.
   *
   * @default {unknown: the signature of the certificate is not checked}
   */
  readonly ca?: string | undefined;
}

/** The reason why a {@linkcode CertificateSource} could not read or create a certificate. */
export interface CertificateProblem {
  /** The error of the failed attempt to read or create the certificate. */
  readonly problem: unknown;
}

/** One result of a {@linkcode CertificateSource}: a certificate, or the reason why it has none. */
export type CertificateOffer = OfferedCertificate | CertificateProblem;

/**
 * A source of the certificate of an HTTPS server, such as two files. A server uses a certificate of
 * a source only after it has checked the certificate.
 */
export interface CertificateSource {
  /** The name of the certificate source in messages, such as `/certs/tls.crt`. */
  readonly name: string;
  /**
   * The host names and IP addresses by which clients reach the server; the server refuses a
   * certificate that is not valid for all of them.
   *
   * @default {any names}
   */
  readonly hosts?: readonly string[] | undefined;
  /**
   * The advice that ends messages about a refused certificate, such as a command that shows it.
   *
   * @default none
   */
  readonly advice?: string | undefined;
  /**
   * Yields the present certificate first, or the reason why there is none, then each new one, until
   * the signal is aborted; an unchanged one may be yielded again. A certificate that was refused
   * because it is not valid yet should be yielded again.
   */
  offers(signal: AbortSignal, clock: Clock): AsyncIterable<CertificateOffer>;
}

/** A provider of the metrics of certificates, to be implemented over any metrics library. */
export interface CertificateMetrics {
  /** Counts a read of a certificate source (`certwatcher_read_certificate_total`). */
  read(): void;
  /**
   * Counts a read that gave no usable certificate (`certwatcher_read_certificate_errors_total`).
   */
  failed(): void;
  /**
   * Counts a new certificate that was refused, so that the server keeps its last one
   * (`xca_certificate_rejected_total`).
   */
  rejected?(server: string): void;
  /**
   * Records the end of the validity of the certificate that a server uses
   * (`xca_certificate_expiration_timestamp_seconds`).
   */
  expires?(server: string, at: Date): void;
}
