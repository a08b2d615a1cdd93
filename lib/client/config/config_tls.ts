import { isIP } from "node:net";
import { getLogger } from "@logtape/logtape";
import type { Host } from "@xca/apimachinery/base";
import { ConfigError, type TlsConfig } from "./config.ts";
import { type Material, readMaterial } from "./config_material.ts";
import { quoted, refused, shown } from "./config_place.ts";
import { carriesKeyOf } from "./key_pair.ts";
import type { ClusterEntry, UserEntry } from "../kubeconfig/kubeconfig.ts";
import { certificatesFault, certificateTexts, privateKeyFault, privateKeyText } from "./pem.ts";
import { withoutBrackets } from "./ip_address.ts";

const log = getLogger(["xca", "client", "tls"]);

/**
 * The TLS side of a connection, with everything read and checked here, since this runtime takes a
 * damaged certificate authority without a word.
 *
 * @throws {ConfigError} When a certificate or key cannot be read or used, or the two are no pair.
 */
export async function resolveTls(
  cluster: ClusterEntry,
  user: UserEntry,
  host: Host,
): Promise<TlsConfig | undefined> {
  const { certificateAuthority, certificateAuthorityData, insecureSkipTlsVerify } = cluster;
  const ca = await readMaterial(certificateAuthorityData, certificateAuthority, host);
  if (insecureSkipTlsVerify.value && ca) {
    throw refused(
      insecureSkipTlsVerify.place,
      "it is true, and a certificate authority is given too",
      "remove one of the two",
    );
  }
  if (ca) checkAuthority(ca);
  const serverName = cluster.tlsServerName;
  const bare = withoutBrackets(serverName.value);
  if (/[\s/:@]/.test(bare) && isIP(bare) === 0) {
    throw refused(
      serverName.place,
      `${quoted(serverName.value)} is neither a host's name nor an address`,
      "write the name that the server's certificate carries",
    );
  }
  const tls: TlsConfig = {
    ...(ca ? { caData: ca.text } : {}),
    ...(ca?.path ? { caFile: ca.path } : {}),
    ...(insecureSkipTlsVerify.value ? { insecureSkipVerify: true } : {}),
    ...(serverName.value === "" ? {} : { serverName: serverName.value }),
    ...await resolveClientCertificate(user, host),
  };
  return Object.keys(tls).length === 0 ? undefined : tls;
}

/** The client certificate and its key; a key alone is ignored, as in kubectl. */
async function resolveClientCertificate(
  user: UserEntry,
  host: Host,
): Promise<Pick<TlsConfig, "certData" | "certFile" | "keyData" | "keyFile">> {
  const cert = await readMaterial(user.clientCertificateData, user.clientCertificate, host);
  if (!cert) return {};
  const key = await readMaterial(user.clientKeyData, user.clientKey, host);
  if (!key) {
    throw refused(cert.place, "its private key is missing", "set client-key-data or client-key");
  }
  await checkClientCertificate(cert, key);
  return {
    certData: cert.text,
    keyData: key.text,
    ...(cert.path ? { certFile: cert.path } : {}),
    ...(key.path ? { keyFile: key.path } : {}),
  };
}

/**
 * Checks the certificates of an authority. Damaged ones among whole ones do not count, as with kubectl.
 *
 * @throws {ConfigError} When they are none.
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
 * Checks a client certificate and its key.
 *
 * @throws {ConfigError} When either is none, or the two are no pair.
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
    // No cause: what a parser says of a key may quote it.
    throw refused(material.place, `the ${what} is damaged`, "export it again");
  }
}
