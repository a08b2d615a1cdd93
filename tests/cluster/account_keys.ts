/**
 * The parts of the played worlds that concern service accounts: pods get one by the admission plugin
 * ServiceAccount, as in a real cluster, and Secrets get tokens.
 *
 * @module
 */
import { generateSigningKey } from "../../lib/apimachinery/pki/mod.ts";
import type { ClusterOptions } from "../../lib/cluster/mod.ts";
import { ApiServer, type ApiServerOptions, type ControlPlane } from "../../lib/testing/mod.ts";

const { privateKey } = await generateSigningKey();

/** The flag with which kube-apiserver runs the admission plugin ServiceAccount. */
export const ACCOUNT_FLAGS: readonly string[] = ["--disable-admission-plugins="];

/** The options of a cluster by which its tokens are signed and its authority is published. */
export type AccountKeys = Required<Pick<ClusterOptions, "serviceAccountKey" | "rootCa">>;

/** The keys of a cluster on the server of {@linkcode startWithAccounts}. */
export const EMBEDDED_KEYS: AccountKeys = {
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
export function keysOf({ serviceAccountKey, caData }: ControlPlane): AccountKeys {
  return { serviceAccountKey, rootCa: caData };
}
