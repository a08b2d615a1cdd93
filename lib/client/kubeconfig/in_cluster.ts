import { type Host, systemHost } from "@xca/apimachinery/base";
import { type ClientConfig, ConfigError, type ConfigOverrides } from "../config/config.ts";
import {
  fromFlag,
  quoted,
  refused,
  type Sourced,
  unreadable,
  unset,
} from "../config/config_place.ts";
import { resolveConnection, type Surroundings } from "./config_resolve.ts";
import { anonymous, checkedNamespace, noCluster } from "./kubeconfig_select.ts";
import { readingOnce } from "./reading_once.ts";

const FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";
const TOKEN_FILE = `${FOLDER}/token`;
const CA_FILE = `${FOLDER}/ca.crt`;
const NAMESPACE_FILE = `${FOLDER}/namespace`;

/**
 * Returns the client configuration of a pod: the address of the API server from the environment,
 * and the token, certificate authority and namespace of the service account. The client reads the
 * files of token and authority again once their content is older than a minute, since the kubelet
 * replaces them. Without the file of the authority, the client trusts the default roots of the
 * runtime.
 *
 * The variable `POD_NAMESPACE` takes precedence over the namespace of the service account, as in
 * kubectl.
 *
 * @throws {ConfigError} When this process does not run in a pod, or a file of the service account
 * is invalid.
 *
 * @example
 * ```ts
 * import { createClient, inClusterConfig } from "@xca/operator/client";
 *
 * export async function main(): Promise<void> {
 *   using client = createClient(await inClusterConfig());
 *   console.log(client.config.namespace);
 * }
 * ```
 */
export function inClusterConfig(host: Host = systemHost): Promise<ClientConfig> {
  return inClusterConfigWith({}, readingOnce(host));
}

/**
 * Returns the client configuration of a pod ({@linkcode inClusterConfig}) with the flags of kubectl
 * applied, except those that select a file, context, cluster or user.
 *
 * @throws {ConfigError} When this process does not run in a pod, or a file or flag is invalid.
 */
export async function inClusterConfigWith(
  overrides: ConfigOverrides,
  host: Host,
): Promise<ClientConfig> {
  const server = serviceAddress(host);
  if (!server) {
    throw new ConfigError(
      "Cannot use the in-cluster configuration: KUBERNETES_SERVICE_HOST and " +
        "KUBERNETES_SERVICE_PORT are not set, so this process is not in a pod, or may not read " +
        "them (--allow-env=KUBERNETES_SERVICE_HOST,KUBERNETES_SERVICE_PORT); use a kubeconfig",
    );
  }
  const cluster = {
    ...noCluster(),
    server,
    certificateAuthority: await certificateAuthority(host),
  };
  const user = { ...anonymous(), tokenFile: fromFlag("the service account's token", TOKEN_FILE) };
  const selection = { source: "in-cluster", cluster, user, namespace: unset("") };
  const surroundings = {
    namespace: () => podNamespace(host),
    inCluster: () => Promise.resolve(true),
  };
  return await resolveConnection(selection, overrides, surroundings, host);
}

/**
 * Reports whether this process runs in a pod with a service account, by the environment and the
 * token file. A token file that the process may not read counts as present.
 */
export async function isInCluster(host: Host): Promise<boolean> {
  // The values of the variables are checked only in a pod.
  if (!host.env("KUBERNETES_SERVICE_HOST") || !host.env("KUBERNETES_SERVICE_PORT")) return false;
  try {
    await host.readFile(TOKEN_FILE);
    return true;
  } catch (error) {
    // A missing permission is reported when the configuration is read.
    return error instanceof Deno.errors.NotCapable ||
      error instanceof Deno.errors.PermissionDenied;
  }
}

/**
 * Returns the functions that look up values which a kubeconfig does not set, on a machine that may
 * be a pod: outside a pod, the namespace is `default`.
 */
export function surroundingsOf(host: Host): Surroundings {
  return {
    namespace: async () => await isInCluster(host) ? await podNamespace(host) : "default",
    inCluster: () => isInCluster(host),
  };
}

/**
 * Returns the namespace of this pod: `POD_NAMESPACE`, or else that of the service account;
 * `default` when neither is known.
 *
 * @throws {ConfigError} When the namespace is not a valid name.
 */
export async function podNamespace(host: Host): Promise<string> {
  const fromEnv = host.env("POD_NAMESPACE");
  if (fromEnv) return checkedNamespace(fromFlag("POD_NAMESPACE", fromEnv));
  let bytes: Uint8Array;
  try {
    bytes = await host.readFile(NAMESPACE_FILE);
  } catch {
    return "default";
  }
  const text = new TextDecoder().decode(bytes).trim();
  return text === "" ? "default" : checkedNamespace(fromFlag(NAMESPACE_FILE, text));
}

function serviceAddress(host: Host): Sourced<string> | undefined {
  const address = host.env("KUBERNETES_SERVICE_HOST");
  const port = host.env("KUBERNETES_SERVICE_PORT");
  if (!address || !port) return undefined;
  if (!/^[0-9]{1,5}$/.test(port)) {
    throw refused(
      "KUBERNETES_SERVICE_PORT",
      `${quoted(port)} is not a port`,
      "set the number of a port",
    );
  }
  const bracketed = address.includes(":") && !address.startsWith("[") ? `[${address}]` : address;
  return fromFlag("KUBERNETES_SERVICE_HOST", `https://${bracketed}:${port}`);
}

async function certificateAuthority(host: Host): Promise<Sourced<string>> {
  try {
    await host.readFile(CA_FILE);
  } catch (error) {
    // Without the file the default roots of the runtime are trusted; client-go trusts those of the
    // machine.
    if (error instanceof Deno.errors.NotFound) return unset("");
    throw unreadable("the service account's certificate authority", CA_FILE, error);
  }
  return fromFlag("the service account's certificate authority", CA_FILE);
}
