import { posix, win32 } from "node:path";
import type { Host } from "@xca/apimachinery/base";
import { ConfigError } from "../config/config.ts";
import { shown, unreadable } from "../config/config_place.ts";
import type { Kubeconfig } from "./kubeconfig.ts";
import { parseKubeconfig } from "./kubeconfig_file.ts";
import { mergeKubeconfigs } from "./kubeconfig_merge.ts";

/**
 * The result of {@linkcode findKubeconfig}: the kubeconfig files that were found, merged, and the
 * paths that were tried.
 */
export interface FoundKubeconfig {
  /** The merged kubeconfig files; empty when there are none. */
  readonly config: Kubeconfig;
  /** The paths of the kubeconfig files that were read. */
  readonly found: readonly string[];
  /** The paths of the kubeconfig files that were looked for and do not exist. */
  readonly missing: readonly string[];
}

/**
 * Reads the kubeconfig files in the order of kubectl and returns them merged: the explicit file
 * alone, which must exist; or else those that `KUBECONFIG` lists, except missing ones; or else
 * `.kube/config` in the home folder.
 *
 * @throws {ConfigError} When the explicit file is missing, or a file cannot be read or is not a
 * kubeconfig.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { findKubeconfig } from "./kubeconfig_sources.ts";
 *
 * const files: Record<string, string> = { "/a": "current-context: kind" };
 * const host = {
 *   os: "linux",
 *   env: (name: string) => (name === "KUBECONFIG" ? "/a:/b" : undefined),
 *   readFile: (path: string) => {
 *     const text = files[path];
 *     if (text === undefined) return Promise.reject(new Deno.errors.NotFound(path));
 *     return Promise.resolve(new TextEncoder().encode(text));
 *   },
 * };
 * const { found, missing } = await findKubeconfig(undefined, host);
 * assert.deepEqual([found, missing], [["/a"], ["/b"]]);
 * ```
 */
export async function findKubeconfig(
  explicit: string | undefined,
  host: Host,
): Promise<FoundKubeconfig> {
  if (explicit) {
    const config = await readKubeconfig(explicit, host);
    if (config) return { config, found: [explicit], missing: [] };
    throw new ConfigError(
      `Cannot read --kubeconfig: no kubeconfig at ${shown(explicit)}; ` +
        "correct --kubeconfig, or leave it out to use KUBECONFIG",
    );
  }
  const listed = listedFiles(host);
  const configs: Kubeconfig[] = [];
  const found: string[] = [];
  const missing: string[] = [];
  for (const path of listed ?? homeFiles(host)) {
    const config = await readKubeconfig(path, host);
    (config ? found : missing).push(path);
    if (config) configs.push(config);
    if (config && !listed) break;
  }
  return { config: mergeKubeconfigs(configs), found, missing };
}

/**
 * Returns the names of contexts, clusters and users in the kubeconfig files, sorted, for the flags
 * `--context`, `--cluster` and `--user`. The files are those that {@linkcode loadConfig} reads.
 *
 * @throws {ConfigError} When the explicit file is missing, or a file cannot be read or is invalid.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { kubeconfigNames } from "@xca/operator/client";
 *
 * const text = "contexts: [{ name: kind, context: { cluster: c, user: u } }]";
 * const host = {
 *   os: "linux",
 *   env: () => undefined,
 *   readFile: () => Promise.resolve(new TextEncoder().encode(text)),
 * };
 * const { contexts } = await kubeconfigNames("/dev.config", host);
 * assert.deepEqual(contexts, ["kind"]);
 * ```
 */
export async function kubeconfigNames(
  explicit: string | undefined,
  host: Host,
): Promise<{
  /** The names of the kubeconfig's contexts. */
  readonly contexts: readonly string[];
  /** The names of the kubeconfig's clusters. */
  readonly clusters: readonly string[];
  /** The names of the kubeconfig's users. */
  readonly users: readonly string[];
}> {
  const { config: { contexts, clusters, users } } = await findKubeconfig(explicit, host);
  const names = (entries: ReadonlyMap<string, unknown>): string[] => [...entries.keys()].sort();
  return { contexts: names(contexts), clusters: names(clusters), users: names(users) };
}

function listedFiles(host: Host): string[] | undefined {
  const list = host.env("KUBECONFIG");
  if (!list) return undefined;
  const paths = list.split(host.os === "windows" ? ";" : ":");
  return [...new Set(paths)].filter((path) => path !== "");
}

function homeFiles(host: Host): string[] {
  if (host.os !== "windows") {
    const home = host.env("HOME");
    return home ? [posix.join(home, ".kube", "config")] : [];
  }
  const drive = host.env("HOMEDRIVE");
  const path = host.env("HOMEPATH");
  const homes = [host.env("HOME"), drive && path && drive + path, host.env("USERPROFILE")];
  const files = homes.flatMap((home) => home ? [win32.join(home, ".kube", "config")] : []);
  return [...new Set(files)];
}

async function readKubeconfig(path: string, host: Host): Promise<Kubeconfig | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await host.readFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw unreadable("kubeconfig", path, error);
  }
  return await parseKubeconfig(bytes, path, host.os);
}
