import { type Host, systemHost } from "@xca/apimachinery/base";
import type { ClientConfig, ConfigOverrides } from "../config/config.ts";
import { checkFlags, resolveConnection } from "./config_resolve.ts";
import { inClusterConfigWith, isInCluster, surroundingsOf } from "./in_cluster.ts";
import { nothingSelected, selectConnection } from "./kubeconfig_select.ts";
import { findKubeconfig } from "./kubeconfig_sources.ts";
import { readingOnce } from "./reading_once.ts";

/**
 * Loads and returns the client configuration that kubectl would use, for command lines and local
 * programs:
 *
 * 1. the file of `--kubeconfig`, which must exist; else
 * 2. the files that `KUBECONFIG` lists (`:` between them, `;` on Windows), merged, without missing
 *   ones: the first to set a value, or to name a cluster, user or context, wins; else
 * 3. `.kube/config` in `HOME` (on Windows `HOME`, `HOMEDRIVE` with `HOMEPATH`, or `USERPROFILE`);
 * 4. in a pod, where these select nothing (no current context, no flag that names one): the
 *   {@linkcode inClusterConfig}.
 *
 * The flags are applied to the configuration found. Relative paths in a file start at the folder of
 * that file.
 *
 * In a pod, a context without a namespace gets that of the pod, as in kubectl.
 *
 * @throws {ConfigError} When there is no configuration, or it is invalid.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import type { Host } from "@xca/operator/base";
 * import { loadConfig } from "@xca/operator/client";
 *
 * const host: Host = {
 *   os: "linux",
 *   env: (name) => name === "KUBECONFIG" ? "/x/config" : undefined,
 *   readFile: () =>
 *     Promise.resolve(new TextEncoder().encode(`
 * current-context: dev
 * contexts: [{ name: dev, context: { cluster: kind } }]
 * clusters: [{ name: kind, cluster: { server: "https://127.0.0.1:6443" } }]
 * `)),
 * };
 * const config = await loadConfig({ namespace: "team-a" }, host);
 * assert(config.server === "https://127.0.0.1:6443");
 * assert(config.namespace === "team-a");
 * ```
 */
export async function loadConfig(
  overrides: ConfigOverrides = {},
  host: Host = systemHost,
): Promise<ClientConfig> {
  checkFlags(overrides, host.os);
  const once = readingOnce(host);
  const found = await findKubeconfig(overrides.kubeconfig, once);
  const selection = selectConnection(found, overrides);
  if (selection) {
    return await resolveConnection(selection, overrides, surroundingsOf(once), once);
  }
  if (await isInCluster(once)) return await inClusterConfigWith(overrides, once);
  throw nothingSelected(found);
}

/**
 * The two connection flags of client-go's controllers, `--master` and `--kubeconfig`. An empty text
 * is a flag that is not set.
 */
export interface ConfigFlags {
  /**
   * The flag `--master` or `--server`: the URL of the API server, in place of that of the
   * kubeconfig.
   */
  readonly master?: string;
  /** The flag `--kubeconfig`: the only kubeconfig file to read; it must exist. */
  readonly kubeconfig?: string;
}

/**
 * Loads and returns the client configuration by the rules of client-go's
 * `clientcmd.BuildConfigFromFlags`, for operators that run in the cluster and, during development,
 * outside:
 *
 * - neither flag: the in-cluster configuration; outside a pod, that of {@linkcode loadConfig},
 *   where client-go fails;
 * - `kubeconfig`: the current context of that file, at the address `master` when that is given too;
 * - `master` alone: that server, without credentials and without a kubeconfig.
 *
 * @throws {ConfigError} When there is no configuration, or it is invalid.
 *
 * @example
 * ```ts
 * import { createClient } from "@xca/operator/client";
 * import { buildConfigFromFlags } from "./load_config.ts";
 *
 * export async function main(flags: { master?: string; kubeconfig?: string }): Promise<void> {
 *   using client = createClient(await buildConfigFromFlags(flags));
 *   console.log(client.config.server);
 * }
 * ```
 */
export async function buildConfigFromFlags(
  { master = "", kubeconfig = "" }: ConfigFlags,
  host: Host = systemHost,
): Promise<ClientConfig> {
  if (kubeconfig !== "") return await loadConfig({ kubeconfig, server: master }, host);
  if (master !== "") return await loadConfig({ server: master }, withoutKubeconfig(host));
  const once = readingOnce(host);
  if (await isInCluster(once)) return await inClusterConfigWith({}, once);
  return await loadConfig({}, once);
}

function withoutKubeconfig(host: Host): Host {
  const hidden = new Set(["KUBECONFIG", "HOME", "HOMEDRIVE", "HOMEPATH", "USERPROFILE"]);
  return {
    os: host.os,
    env: (name) => hidden.has(name) ? undefined : host.env(name),
    readFile: (path) => host.readFile(path),
  };
}
