import type { ClientConfig } from "../config/config.ts";
import { base64Text } from "../config/header_value.ts";
import type { ExecConfig } from "../config/plugin_config.ts";

/**
 * The fields of a client configuration from which a credential plugin receives information on the
 * cluster.
 */
export type ClusterInfo = Partial<Pick<ClientConfig, "server" | "tls" | "proxyUrl">>;

/**
 * Returns the value of the environment variable `KUBERNETES_EXEC_INFO` of a credential plugin: the
 * JSON text of an `ExecCredential` whose spec is the input of the plugin, with the cluster only if
 * `provideClusterInfo` is set.
 */
export function execInfo(exec: ExecConfig, cluster: ClusterInfo, interactive: boolean): string {
  return JSON.stringify({
    kind: "ExecCredential",
    apiVersion: exec.apiVersion,
    spec: {
      ...(exec.provideClusterInfo ? { cluster: clusterOf(exec, cluster) } : {}),
      interactive,
    },
  });
}

function clusterOf(
  { clusterConfig }: ExecConfig,
  { server, tls = {}, proxyUrl }: ClusterInfo,
): Record<string, unknown> {
  const { serverName, insecureSkipVerify, caData } = tls;
  return {
    server,
    ...(serverName ? { "tls-server-name": serverName } : {}),
    ...(insecureSkipVerify ? { "insecure-skip-tls-verify": true } : {}),
    ...(caData ? { "certificate-authority-data": base64Text(caData) } : {}),
    ...(proxyUrl ? { "proxy-url": proxyUrl } : {}),
    ...(clusterConfig === undefined ? {} : { config: clusterConfig }),
  };
}
