import { getLogger } from "@logtape/logtape";
import { ConfigError } from "./config.ts";
import type { Material } from "./config_material.ts";
import { refused, shown } from "./config_place.ts";
import { carriesKeyOf } from "./key_pair.ts";
import { certificatesFault, certificateTexts, privateKeyFault, privateKeyText } from "./pem.ts";

const log = getLogger(["xca", "client", "tls"]);

/**
 * Throws a ConfigError unless a PEM text contains a well-formed certificate; its dates, and that it
 * is a certificate authority, are not checked. Logs a warning about damaged certificates next to
 * well-formed ones, which are ignored, as in kubectl.
 *
 * @throws {ConfigError} When the text contains no well-formed certificate.
 */
export function checkAuthority(ca: Material): void {
  const fault = certificatesFault(ca.text);
  if (fault && certificateTexts(ca.text).length > 0) {
    log.warn("Passing over a damaged certificate of {place}", { place: ca.place });
    return;
  }
  checkPem(ca, fault, "give the cluster's CA certificate as PEM");
}

/**
 * Rejects unless a client certificate and its private key are well-formed and belong together. The
 * dates of the certificate are not checked.
 *
 * @throws {ConfigError} When one of the two is damaged, the key is encrypted, or the key does not
 * belong to the certificate.
 */
export async function checkClientCertificate(cert: Material, key: Material): Promise<void> {
  checkPem(cert, certificatesFault(cert.text), "give the client certificate as PEM");
  checkPem(key, privateKeyFault(key.text), "give the unencrypted private key as PEM");
  await checkPair(cert, key);
}

function checkPem({ place }: Material, fault: string | undefined, advice: string): void {
  if (fault) throw refused(place, fault, advice);
}

async function checkPair(cert: Material, key: Material): Promise<void> {
  const [certified, own] = [certificateTexts(cert.text)[0]!, privateKeyText(key.text)];
  if (carriesKeyOf(certified, own)) return;
  const { createPrivateKey, X509Certificate } = await import("node:crypto");
  const certificate = parsed(cert, "certificate", () => new X509Certificate(certified));
  const privateKey = parsed(key, "private key", () => createPrivateKey(own));
  if (certificate.checkPrivateKey(privateKey)) return;
  throw new ConfigError(
    `Cannot use ${cert.place}: the private key of ${shown(key.place)} is not this certificate's; ` +
      "give the key that the certificate was made for",
  );
}

function parsed<T>(material: Material, what: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    // The error has no cause, since the message of the parser may quote the key.
    throw refused(material.place, `the ${what} is damaged`, "export it again");
  }
}
