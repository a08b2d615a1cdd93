/**
 * The keys and certificates with which test clusters issue service account tokens. The admission
 * plugin ServiceAccount gives pods an account, as in a real cluster, and Secrets get tokens.
 *
 * @module
 */
import { CertificateAuthority, generateSigningKey } from "../../lib/apimachinery/pki/mod.ts";
import type { ClusterOptions } from "../../lib/cluster/mod.ts";
import { ApiServer, type ApiServerOptions, type ControlPlane } from "../../lib/testing/mod.ts";

const { privateKey } = await generateSigningKey();

/** The certificate authority of the embedded server, valid on virtual clocks too. */
const authority = await CertificateAuthority.create("xca", new Date("2025-12-31T00:00:00Z"), {
  days: 3650,
});

/** The flag with which kube-apiserver runs the admission plugin ServiceAccount. */
export const ACCOUNT_FLAGS: readonly string[] = ["--disable-admission-plugins="];

/**
 * The cluster options with the keys that sign tokens and certificates, and the published
 * certificate authority.
 */
export type AccountKeys = Required<
  Pick<ClusterOptions, "clusterSigning" | "rootCa" | "serviceAccountKey">
>;

/** The keys for a cluster on the server of {@linkcode startWithAccounts}. */
export const EMBEDDED_KEYS: AccountKeys = {
  clusterSigning: authority.pair,
  serviceAccountKey: privateKey,
  rootCa: authority.cert,
};

/** Starts an embedded server whose admission gives each pod a service account. */
export function startWithAccounts(options: ApiServerOptions = {}): Promise<ApiServer> {
  return ApiServer.start({
    ...options,
    serviceAccountKey: privateKey,
    enableAdmissionPlugins: ["ServiceAccount"],
  });
}

/** Returns the keys for a cluster on a real control plane. */
export function keysOf({ authority, caData, serviceAccountKey }: ControlPlane): AccountKeys {
  return { clusterSigning: authority, serviceAccountKey, rootCa: caData };
}
