import { type Clock, delay } from "@xca/apimachinery/base";
import type { CertificateOffer, CertificateSource } from "@xca/apimachinery/serving";

/**
 * The validity of a self-signed certificate, in days; the server replaces the certificate after
 * half of this time.
 */
const SELF_SIGNED_DAYS = 30;

/**
 * Returns the source of a certificate that a certificate authority in memory signs, for clients
 * that do not verify servers, as in kubebuilder's default. The certificate is valid for
 * `localhost`, `127.0.0.1` and `::1`. The source offers a new certificate every 15 days, before the
 * last one expires after 30.
 */
export function selfSigned(): CertificateSource {
  return { name: "self-signed", offers: signAgain };
}

async function* signAgain(signal: AbortSignal, clock: Clock): AsyncGenerator<CertificateOffer> {
  while (!signal.aborted) {
    const { CertificateAuthority } = await import("@xca/apimachinery/pki");
    const now = clock.now();
    const validity = { now, days: SELF_SIGNED_DAYS };
    const authority = await CertificateAuthority.create("xca-self-signed", now, validity);
    const names = ["127.0.0.1", "::1"];
    const pair = await authority.serving("localhost", ["localhost"], names, validity);
    yield { pair };
    await delay(SELF_SIGNED_DAYS / 2 * 86_400_000, { clock, signal }).catch(() => {});
  }
}
