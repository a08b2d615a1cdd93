import { getLogger } from "@logtape/logtape";
import type { Host } from "../base/host.ts";
import type { ClientConfig, ConfigOverrides } from "./config.ts";
import { resolveCredentials, resolveImpersonate } from "./config_credentials.ts";
import { overrideCluster, overrideUser } from "./config_overrides.ts";
import { fromFlag, refused } from "./config_place.ts";
import { resolveTls } from "./config_tls.ts";
import { parseRequestTimeout } from "./duration.ts";
import { checkedNamespace, type Selection } from "./kubeconfig_select.ts";
import { hideSecrets } from "./redact.ts";
import { parseProxyUrl, parseServerUrl } from "./server_url.ts";

const log = getLogger(["xca", "client", "config"]);

/**
 * What is selected, with the flags laid over it, as a configuration. As with kubectl, nothing secret
 * goes to a server over plain `http`: neither tokens nor certificates are read then.
 *
 * @throws {ConfigError} When a value that counts for this connection cannot be used.
 */
export async function resolveConnection(
  selection: Selection,
  overrides: ConfigOverrides,
  defaultNamespace: () => Promise<string>,
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
  const credentials = secure ? await resolveCredentials(user, host) : undefined;
  const impersonate = resolveImpersonate(user);
  const proxyUrl = parseProxyUrl(cluster.proxyUrl);
  if (tls?.insecureSkipVerify) {
    log.warn(
      "TLS certificates of {server} are not verified, as {place} says: anyone on the way " +
        "can read and change everything",
      { server, place: cluster.insecureSkipTlsVerify.place },
    );
  }
  if (!secure) log.info("No credentials are sent to {server}: it is not https", { server });
  return hideSecrets({
    server,
    namespace: await namespaceOf(selection, overrides, defaultNamespace),
    ...(tls ? { tls } : {}),
    ...(credentials ? { credentials } : {}),
    ...(impersonate ? { impersonate } : {}),
    ...(proxyUrl ? { proxyUrl } : {}),
    ...requestTimeout(overrides),
    source: selection.source,
  });
}

/**
 * Checks the flags that mean something on their own, before any file is read.
 *
 * @throws {ConfigError} When the namespace or the time-out cannot be used.
 */
export function checkFlags(overrides: ConfigOverrides): void {
  const { namespace } = overrides;
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
