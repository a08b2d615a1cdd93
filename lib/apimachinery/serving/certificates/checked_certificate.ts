import { getLogger } from "@logtape/logtape";
import { errorText } from "../../base/errors/error_text.ts";
import { type Clock, systemClock } from "../../base/time/clock.ts";
import type { PemPair } from "../../pki/pem.ts";
import type {
  CertificateMetrics,
  CertificateOffer,
  CertificateSource,
  OfferedCertificate,
} from "./certificate_source.ts";

const logger = getLogger(["xca", "certificate"]);

/** A provider of the certificate of a server, which may change while the server runs. */
export interface ServingCertificate {
  /**
   * Returns the certificate that the server begins with, and its private key.
   *
   * @throws {Error} When there is no usable certificate.
   */
  load(signal: AbortSignal): Promise<PemPair>;
  /**
   * Calls `onChange` with each new certificate, after it was checked, until the returned value is
   * disposed.
   */
  watch(onChange: (pair: PemPair) => void): Disposable;
  /**
   * Returns the reason why clients refuse the certificate that the server uses now, such as its
   * expiry; `undefined` when clients accept it. A provider without this method does not check the
   * certificate after it was loaded.
   */
  problem?(): string | undefined;
}

/** Options of {@linkcode CheckedCertificate}, which provides the certificate of a server. */
export interface CheckedCertificateOptions {
  /** The name of the server in logs and metrics, such as `webhooks`. */
  readonly server: string;
  /** The provider of the certificate metrics. @default {none} */
  readonly metrics?: CertificateMetrics | undefined;
  /** The clock of the certificate checks. @default {systemClock} */
  readonly clock?: Clock | undefined;
}

/**
 * A provider of the certificate of a server from a source: a new certificate replaces the last one
 * only when the key belongs to the certificate, the dates, signatures and names are valid, and a
 * TLS handshake with the certificate on a temporary server succeeds. A certificate that fails a
 * check never replaces a valid one; the provider logs the reason once and counts the failure.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { CertificateAuthority } from "@xca/apimachinery/pki";
 * import { CheckedCertificate } from "@xca/apimachinery/serving";
 *
 * const authority = await CertificateAuthority.create("ca", new Date());
 * const pair = await authority.serving("web", ["web.example.com"], []);
 * const source = {
 *   name: "memory",
 *   hosts: ["web.example.com"],
 *   offers: async function* () {
 *     yield { pair, ca: authority.cert };
 *   },
 * };
 * const certificate = new CheckedCertificate(source, { server: "web" });
 * assert.deepEqual(await certificate.load(new AbortController().signal), pair);
 * assert.equal(certificate.problem(), undefined);
 * ```
 */
export class CheckedCertificate implements ServingCertificate {
  readonly #source: CertificateSource;
  readonly #options: CheckedCertificateOptions;
  readonly #clock: Clock;
  readonly #abort = new AbortController();
  #offers: AsyncIterator<CertificateOffer> | undefined;
  #current: { readonly pair: PemPair; readonly notAfter: Date } | undefined;
  /**
   * The refusal of the latest read, so that it is counted and logged once: the certificate, if the
   * source gave one, and the reason. `undefined` after a read without refusal.
   */
  #refused: { readonly pair: PemPair | undefined; readonly reason: string } | undefined;

  /** Creates the checked certificate of a server; it is not read before `load` is called. */
  constructor(source: CertificateSource, options: CheckedCertificateOptions) {
    this.#source = source;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * Reads the certificate that the server begins with, checks it, and returns it with its private
   * key.
   *
   * @throws {Error} When the source ends without a certificate, or a check fails; the message names
   * the source.
   * @throws {unknown} The error that the source reports, or the reason of `signal` when it is or
   * becomes aborted.
   */
  async load(signal: AbortSignal): Promise<PemPair> {
    signal.throwIfAborted();
    const stop = (): void => this.#abort.abort(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    try {
      this.#offers ??= this.#source.offers(this.#abort.signal, this.#clock)[Symbol.asyncIterator]();
      const next = await this.#offers.next();
      signal.throwIfAborted();
      if (next.done) {
        throw new Error(
          `Cannot use the certificate ${this.#source.name}: the source has no certificate`,
        );
      }
      return await this.#accept(next.value);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /**
   * Calls `onChange` with each new certificate that passes all checks, until the returned value is
   * disposed, which also ends the reading of the source.
   *
   * @throws {Error} When the certificate was not loaded before.
   */
  watch(onChange: (pair: PemPair) => void): Disposable {
    const offers = this.#offers;
    if (!offers) {
      throw new Error(`Cannot watch the certificate ${this.#source.name}: load it first`);
    }
    void this.#follow(offers, onChange);
    return { [Symbol.dispose]: () => this.#abort.abort() };
  }

  /**
   * Returns the reason why the server has no valid certificate: it is not loaded, or has expired;
   * `undefined` when it has one. The method serves as a readiness check.
   */
  problem(): string | undefined {
    if (!this.#current) return `the certificate ${this.#source.name} is not loaded`;
    const { notAfter } = this.#current;
    if (this.#clock.now() <= notAfter) return undefined;
    const cause = this.#refused ? `; a new one is refused: ${this.#refused.reason}` : "";
    return `the certificate ${this.#source.name} was valid until ${notAfter.toISOString()}${cause}`;
  }

  /**
   * The reason why the latest read of the source gave no usable certificate; `undefined` when the
   * server uses the certificate that was read, and before the first read.
   */
  get refused(): string | undefined {
    return this.#refused?.reason;
  }

  /**
   * The end of the validity of the certificate that the server uses; `undefined` before a
   * certificate is loaded.
   */
  get notAfter(): Date | undefined {
    return this.#current?.notAfter;
  }

  async #follow(
    offers: AsyncIterator<CertificateOffer>,
    onChange: (pair: PemPair) => void,
  ): Promise<void> {
    const { signal } = this.#abort;
    try {
      for (;;) {
        const next = await offers.next();
        if (next.done || signal.aborted) return;
        await this.#replace(next.value, onChange);
        if (signal.aborted) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      logger.error("The certificate {source} is no longer watched for changes: {reason}", {
        source: this.#source.name,
        reason: errorText(error),
        error,
      });
    }
  }

  /** Passes a certificate from the source to the server if it is new and passes all checks. */
  async #replace(offer: CertificateOffer, onChange: (pair: PemPair) => void): Promise<void> {
    const last = this.#current?.pair;
    let pair: PemPair;
    try {
      pair = await this.#accept(offer);
    } catch {
      return; // The refusal is logged and counted; the last certificate stays.
    }
    if (this.#abort.signal.aborted || isEqual(pair, last)) return;
    onChange(pair);
    logger.info("The server of {server} uses a new certificate of {source}", {
      server: this.#options.server,
      source: this.#source.name,
    });
  }

  /**
   * Checks the certificate that a source offers, unless it is the current one already, makes it the
   * current one, and returns it. Counts the read and a refusal, and logs a refusal while the server
   * has an earlier certificate.
   *
   * @throws {Error} When the offer has no certificate, or a check fails.
   */
  async #accept(offer: CertificateOffer): Promise<PemPair> {
    const { metrics, server } = this.#options;
    metrics?.read();
    try {
      if ("problem" in offer) throw offer.problem;
      // A certificate that the server uses was checked before; afterwards it can only expire.
      if (!isEqual(offer.pair, this.#current?.pair)) {
        const notAfter = await this.#check(offer);
        this.#current = { pair: offer.pair, notAfter };
        metrics?.expires?.(server, notAfter);
      }
      this.#refused = undefined;
      return offer.pair;
    } catch (error) {
      metrics?.failed();
      this.#refuse("pair" in offer ? offer.pair : undefined, errorText(error));
      throw error;
    }
  }

  /**
   * Checks a certificate that a source offers, and returns the end of its validity.
   *
   * @throws {Error} When a check fails.
   */
  async #check(offer: OfferedCertificate): Promise<Date> {
    // A program without HTTPS servers saves the memory of the modules below.
    const { checkPair, parseCertificate } = await import("../../pki/check_pair.ts");
    const { hosts = [], name, advice } = this.#source;
    const refused = (fault: string): Error =>
      new Error(`Cannot use the certificate ${name}: ${fault}${advice ? `; ${advice}` : ""}`);
    const { pair, ca } = offer;
    const fault = checkPair(pair, {
      at: this.#clock.now(),
      hosts,
      ...(ca !== undefined && { ca }),
    });
    if (fault !== undefined) throw refused(fault);
    const { proveCertificate } = await import("./prove_certificate.ts");
    const unproved = await proveCertificate(offer, hosts[0], this.#clock);
    if (unproved !== undefined) throw refused(unproved);
    return parseCertificate(pair.cert).notAfter;
  }

  #refuse(pair: PemPair | undefined, reason: string): void {
    const last = this.#refused;
    this.#refused = { pair, reason };
    if (!this.#current || last?.reason === reason && isEqual(pair, last.pair)) return;
    if (pair && !isEqual(pair, last?.pair)) this.#options.metrics?.rejected?.(this.#options.server);
    logger.warn("The server of {server} keeps its last certificate: {reason}", {
      server: this.#options.server,
      reason,
    });
  }
}

function isEqual(one: PemPair | undefined, other: PemPair | undefined): boolean {
  return one?.cert === other?.cert && one?.key === other?.key;
}
