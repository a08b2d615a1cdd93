import { isIP } from "node:net";
import type { Host } from "@xca/apimachinery/base";
import type { TlsConfig } from "../config/config.ts";
import { readMaterial } from "../config/config_material.ts";
import { quoted, refused } from "../config/config_place.ts";
import { checkAuthority, checkClientCertificate } from "../config/config_tls.ts";
import { withoutBrackets } from "../config/ip_address.ts";
import type { ClusterEntry, UserEntry } from "./kubeconfig.ts";

/**
 * Returns the TLS settings of a connection from a kubeconfig cluster and user; `undefined` when
 * neither has any. All files are read and checked here, since the runtime ignores damaged
 * certificate authorities without an error.
 *
 * @throws {ConfigError} When a certificate or key cannot be read or is invalid, the key is missing
 * or does not belong to the certificate, a certificate authority is given together with
 * `insecure-skip-tls-verify`, or the TLS server name is not that of a host.
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

/**
 * Returns the client certificate of a kubeconfig user and its key; an empty object when there is no
 * certificate. A key without a certificate is ignored, as in kubectl.
 *
 * @throws {ConfigError} When a certificate has no key, the two do not belong together, or one
 * cannot be read or is damaged.
 */
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
