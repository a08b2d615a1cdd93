import { getLogger } from "@logtape/logtape";
import type { Host } from "@xca/apimachinery/base";
import type { ClientConfig, ConfigOverrides } from "../config/config.ts";
import { resolveCredentials, resolveImpersonate } from "./config_credentials.ts";
import { overrideCluster, overrideUser } from "./config_overrides.ts";
import { fromFlag, refused } from "../config/config_place.ts";
import { resolveTls } from "./resolve_tls.ts";
import { parseRequestTimeout } from "../config/duration.ts";
import { checkedNamespace, type Selection } from "./kubeconfig_select.ts";
import { checkPluginPolicy } from "./plugin_policy.ts";
import { proxyFromEnvironment } from "./proxy_env.ts";
import { hideSecrets } from "../config/redact.ts";
import { parseProxyUrl, parseServerUrl } from "../config/server_url.ts";

const log = getLogger(["xca", "client", "config"]);

/**
 * The functions that look up values which neither the kubeconfig nor flags set, such as the
 * namespace. Each function is called only when its result is needed.
 */
export interface Surroundings {
  /** Returns the namespace for a kubeconfig context that does not name one. */
  readonly namespace: () => Promise<string>;
  /** Reports whether this process runs in a pod. */
  readonly inCluster: () => Promise<boolean>;
}

/**
 * Returns the client configuration of a selected cluster and user, of a kubeconfig or of a pod,
 * with command line flags applied. As in kubectl, no secrets are sent over plain `http`: neither
 * tokens nor certificates are read for an `http` server, and only impersonation applies.
 *
 * @throws {ConfigError} When a value that this connection uses is invalid.
 */
export async function resolveConnection(
  selection: Selection,
  overrides: ConfigOverrides,
  surroundings: Surroundings,
  host: Host,
): Promise<ClientConfig> {
  const cluster = overrideCluster(selection.cluster, overrides);
  const user = overrideUser(selection.user, overrides);
  if (cluster.server.value === "") {
    throw refused(cluster.place, "it has no server", "set its server, or --server");
  }
  const server = parseServerUrl(cluster.server);
  const secure = server.startsWith("https:");
  const tls = secure ? await resolveTls(cluster, user, host) : undefined;
  const { namespace: defaultNamespace, inCluster } = surroundings;
  const credentials = secure
    ? await resolveCredentials(user, { cluster, policy: overrides, inCluster, host, tls })
    : undefined;
  const impersonate = resolveImpersonate(user);
  const proxyUrl = parseProxyUrl(cluster.proxyUrl) ??
    proxyFromEnvironment(server, (name) => host.env(name));
  if (!secure) log.info("No credentials are sent to {server}: it is not https", { server });
  return hideSecrets({
    server,
    namespace: await namespaceOf(selection, overrides, defaultNamespace),
    ...(tls ? { tls } : {}),
    ...(credentials ? { credentials } : {}),
    ...(impersonate ? { impersonate } : {}),
    ...(proxyUrl ? { proxyUrl } : {}),
    ...(cluster.disableCompression.value ? { disableCompression: true } : {}),
    ...requestTimeout(overrides),
    source: selection.source,
  });
}

/**
 * Validates the connection flags that do not depend on the kubeconfig; callers do so before they
 * read any file.
 *
 * @throws {ConfigError} When the namespace, the time-out or the plugin policy is invalid.
 */
export function checkFlags(overrides: ConfigOverrides, os: string): void {
  const { namespace } = overrides;
  checkPluginPolicy(overrides, os);
  if (namespace) checkedNamespace(fromFlag("--namespace", namespace));
  requestTimeout(overrides);
}

function requestTimeout(
  { requestTimeout = "" }: ConfigOverrides,
): Pick<ClientConfig, "requestTimeoutMs"> {
  const requestTimeoutMs = parseRequestTimeout(requestTimeout, "--request-timeout");
  return requestTimeoutMs === undefined ? {} : { requestTimeoutMs };
}

async function namespaceOf(
  selection: Selection,
  { namespace }: ConfigOverrides,
  defaultNamespace: () => Promise<string>,
): Promise<string> {
  if (namespace) return checkedNamespace(fromFlag("--namespace", namespace));
  if (selection.namespace.value !== "") return checkedNamespace(selection.namespace);
  return await defaultNamespace();
}
