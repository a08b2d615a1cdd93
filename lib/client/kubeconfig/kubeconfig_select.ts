import { isDnsLabel } from "@xca/apimachinery/meta";
import { ConfigError, type ConfigOverrides } from "../config/config.ts";
import {
  fromFlag,
  namesText,
  quoted,
  refused,
  shown,
  type Sourced,
  unset,
} from "../config/config_place.ts";
import type { ClusterEntry, ContextEntry, UserEntry } from "./kubeconfig.ts";
import type { FoundKubeconfig } from "./kubeconfig_sources.ts";

/**
 * The cluster and user that a kubeconfig and the flags `--context`, `--cluster` and `--user`
 * select, and the namespace of the selected context; in a pod, those of the service account. The
 * other flags, such as `--server`, `--token` and `--namespace`, are not applied yet.
 */
export interface Selection {
  /** The origin (flags, or file and context) of the selected connection, for error messages. */
  readonly source: string;
  /** The selected cluster; one without settings when only `--server` is given. */
  readonly cluster: ClusterEntry;
  /** The selected kubeconfig user; anonymous when the context does not name one. */
  readonly user: UserEntry;
  /** The namespace of the selected kubeconfig context; empty when it has none. */
  readonly namespace: Sourced<string>;
}

/**
 * Returns the cluster, user and namespace that a kubeconfig and the flags select; `undefined` when
 * there is no current context, and no flag names a context, cluster, user or server.
 *
 * @throws {ConfigError} When the kubeconfig has no entry of a selected name, or no cluster is
 * selected.
 */
export function selectConnection(
  { config, found }: FoundKubeconfig,
  overrides: ConfigOverrides,
): Selection | undefined {
  const contextName = overrides.context
    ? fromFlag("--context", overrides.context)
    : config.currentContext;
  const { cluster, user, server } = overrides;
  const context = pick("context", config.contexts, contextName, found);
  if (!context && !cluster && !user && !server) return undefined;
  const clusterName = cluster ? fromFlag("--cluster", cluster) : context?.cluster ?? unset("");
  const userName = user ? fromFlag("--user", user) : context?.user ?? unset("");
  return {
    source: sourceOf(overrides, context && { name: contextName.value, file: context.file }),
    cluster: pick("cluster", config.clusters, clusterName, found) ??
      onlyServer(context, server),
    user: pick("user", config.users, userName, found) ?? anonymous(),
    namespace: context?.namespace ?? unset(""),
  };
}

/**
 * Returns the origin of the server address, for error messages, followed by the origin of the other
 * values if that differs.
 */
function sourceOf(
  { server, cluster }: ConfigOverrides,
  context: { readonly name: string; readonly file: string } | undefined,
): string {
  const places: string[] = [];
  if (server) places.push("--server");
  else if (cluster) places.push(`--cluster ${quoted(cluster)}`);
  if (context) places.push(`context ${quoted(context.name)} in ${shown(context.file)}`);
  return places.join(", with ");
}

/** Returns the ConfigError for a kubeconfig that selects nothing, outside a pod. */
export function nothingSelected({ config, found, missing }: FoundKubeconfig): ConfigError {
  const files = found.map(shown).join(", ");
  if (found.length === 0) {
    const where = missing.length > 0
      ? `no kubeconfig at ${missing.map(shown).join(", ")}`
      : "neither KUBECONFIG nor a home folder is known (is --allow-env missing?)";
    return new ConfigError(
      `Cannot find a cluster: ${where}, and this process is not in a pod; set --kubeconfig or KUBECONFIG`,
    );
  }
  if (config.contexts.size === 0 && config.clusters.size === 0) {
    return new ConfigError(
      `Cannot use kubeconfig ${files}: it is empty (no contexts, no clusters); ` +
        "set --kubeconfig or KUBECONFIG to another",
    );
  }
  return new ConfigError(
    `Cannot use kubeconfig ${files}: current-context is not set; choose one with --context: ` +
      namesText(config.contexts.keys()),
  );
}

/**
 * Checks a configured namespace, which becomes a segment of URL paths, and returns it.
 *
 * @throws {ConfigError} When the namespace is not a DNS-1123 label.
 */
export function checkedNamespace({ value, place }: Sourced<string>): string {
  if (isDnsLabel(value)) return value;
  throw refused(
    place,
    `${quoted(value)} is not a namespace's name`,
    "write lower-case letters, digits and -, at most 63",
  );
}

function lookUp<T>(
  kind: string,
  entries: ReadonlyMap<string, T>,
  name: Sourced<string>,
  found: readonly string[],
): T {
  const entry = entries.get(name.value);
  if (entry !== undefined) return entry;
  const files = found.length === 0 ? "any kubeconfig" : found.map(shown).join(", ");
  throw refused(
    name.place,
    `there is no ${kind} ${quoted(name.value)} in ${files}`,
    `choose one of: ${namesText(entries.keys())}`,
  );
}

/**
 * Returns the kubeconfig entry with a name. As in kubectl, an empty name selects the entry without
 * a name; `undefined` when there is none.
 *
 * @throws {ConfigError} When no entry has the name.
 */
function pick<T>(
  kind: string,
  entries: ReadonlyMap<string, T>,
  name: Sourced<string>,
  found: readonly string[],
): T | undefined {
  return name.value === "" ? entries.get("") : lookUp(kind, entries, name, found);
}

function onlyServer(context: ContextEntry | undefined, server: string | undefined): ClusterEntry {
  if (server) return noCluster();
  if (context) throw refused(context.place, "it names no cluster", "set its cluster, or --cluster");
  throw new ConfigError(
    "Cannot find a cluster: current-context is not set; set --context, --cluster or --server",
  );
}

/** Returns a kubeconfig cluster without any settings. */
export function noCluster(): ClusterEntry {
  return {
    place: "--server",
    server: unset(""),
    certificateAuthority: unset(""),
    certificateAuthorityData: unset(""),
    insecureSkipTlsVerify: unset(false),
    disableCompression: unset(false),
    tlsServerName: unset(""),
    proxyUrl: unset(""),
    execExtension: unset(undefined),
  };
}

/** Returns a kubeconfig user without credentials. */
export function anonymous(): UserEntry {
  return {
    place: "the flags",
    clientCertificate: unset(""),
    clientCertificateData: unset(""),
    clientKey: unset(""),
    clientKeyData: unset(""),
    token: unset(""),
    tokenFile: unset(""),
    username: unset(""),
    password: unset(""),
    as: unset(""),
    asUid: unset(""),
    asGroups: unset([]),
    asUserExtra: unset({}),
    exec: unset(undefined),
    authProvider: unset(undefined),
  };
}
