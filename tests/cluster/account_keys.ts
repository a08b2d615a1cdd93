/**
 * The parts of the played worlds that concern service accounts: pods get one by the admission plugin
 * ServiceAccount, as in a real cluster, and Secrets get tokens.
 *
 * @module
 */
import { CertificateAuthority, generateSigningKey } from "../../lib/apimachinery/pki/mod.ts";
import type { ClusterOptions } from "../../lib/cluster/mod.ts";
import { ApiServer, type ApiServerOptions, type ControlPlane } from "../../lib/testing/mod.ts";

const { privateKey } = await generateSigningKey();

/** The authority of the embedded server, valid on virtual clocks too. */
const authority = await CertificateAuthority.create("xca", new Date("2025-12-31T00:00:00Z"), {
  days: 3650,
});

/** The flag with which kube-apiserver runs the admission plugin ServiceAccount. */
export const ACCOUNT_FLAGS: readonly string[] = ["--disable-admission-plugins="];

/** The options of a cluster by which tokens and certificates are signed, and its authority is published. */
export type AccountKeys = Required<
  Pick<ClusterOptions, "clusterSigning" | "rootCa" | "serviceAccountKey">
>;

/** The keys of a cluster on the server of {@linkcode startWithAccounts}. */
export const EMBEDDED_KEYS: AccountKeys = {
  clusterSigning: authority.pair,
  serviceAccountKey: privateKey,
  rootCa: "-----BEGIN CERTIFICATE-----\nQUFB\n-----END CERTIFICATE-----\n",
};

/** Starts an embedded server whose pods get a service account. */
export function startWithAccounts(options: ApiServerOptions = {}): Promise<ApiServer> {
  return ApiServer.start({
    ...options,
    serviceAccountKey: privateKey,
    enableAdmissionPlugins: ["ServiceAccount"],
  });
}

/** Returns the keys of a cluster on a real control plane. */
export function keysOf({ authority, caData, serviceAccountKey }: ControlPlane): AccountKeys {
  return { clusterSigning: authority, serviceAccountKey, rootCa: caData };
}
