import type { ConfigOverrides } from "../config/config.ts";
import { fromFlag, type Sourced, unset } from "../config/config_place.ts";
import type { ClusterEntry, UserEntry } from "./kubeconfig.ts";

/**
 * Returns a kubeconfig cluster with command line flags applied, as in kubectl: `--server` removes
 * the TLS server name of the file, and `--certificate-authority` or `--insecure-skip-tls-verify`
 * replaces both settings of the file.
 */
export function overrideCluster(cluster: ClusterEntry, overrides: ConfigOverrides): ClusterEntry {
  const { server, certificateAuthority, insecureSkipTlsVerify, tlsServerName } = overrides;
  const flagsSayTrust = insecureSkipTlsVerify || certificateAuthority;
  return {
    ...cluster,
    server: over("--server", server, cluster.server),
    tlsServerName: over(
      "--tls-server-name",
      tlsServerName,
      server ? unset("") : cluster.tlsServerName,
    ),
    ...(flagsSayTrust
      ? {
        certificateAuthority: over("--certificate-authority", certificateAuthority, unset("")),
        certificateAuthorityData: unset(""),
        insecureSkipTlsVerify: fromFlag(
          "--insecure-skip-tls-verify",
          insecureSkipTlsVerify ?? false,
        ),
      }
      : {}),
  };
}

/**
 * Returns a kubeconfig user with command line flags applied. A token replaces all credentials of
 * the file that are sent in headers; a user name or a password replaces the tokens of the file, and
 * the field of the same name. These flags and a client certificate also remove the credential
 * plugin and the legacy login of the file. A client certificate and a key replace those of the
 * file, and `--as`, `--as-uid` and `--as-group` each the field of that name. kubectl keeps the
 * credentials of the file beside those of the flags, and then either refuses both or uses those of
 * the file.
 */
export function overrideUser(user: UserEntry, overrides: ConfigOverrides): UserEntry {
  const { token, username, password, clientCertificate, clientKey } = overrides;
  const flagsSayHeader = token || username || password;
  return {
    ...user,
    ...(flagsSayHeader
      ? {
        token: over("--token", token, unset("")),
        tokenFile: unset(""),
        username: over("--username", username, token ? unset("") : user.username),
        password: over("--password", password, token ? unset("") : user.password),
      }
      : {}),
    ...(flagsSayHeader || clientCertificate
      ? { exec: unset(undefined), authProvider: unset(undefined) }
      : {}),
    ...(clientCertificate
      ? {
        clientCertificate: fromFlag("--client-certificate", clientCertificate),
        clientCertificateData: unset(""),
      }
      : {}),
    ...(clientKey
      ? { clientKey: fromFlag("--client-key", clientKey), clientKeyData: unset("") }
      : {}),
    as: over("--as", overrides.as, user.as),
    asUid: over("--as-uid", overrides.asUid, user.asUid),
    asGroups: overrides.asGroups?.length
      ? fromFlag("--as-group", overrides.asGroups)
      : user.asGroups,
  };
}

function over(flag: string, value: string | undefined, below: Sourced<string>): Sourced<string> {
  return value ? fromFlag(flag, value) : below;
}
