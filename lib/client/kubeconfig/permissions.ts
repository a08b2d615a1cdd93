import { type Host, systemHost } from "@xca/apimachinery/base";
import type { ClientConfig, ConfigOverrides } from "../config/config.ts";
import { loadConfig } from "./load_config.ts";
import { Proxy } from "../config/proxy.ts";

/**
 * The environment variable that the runtime reads before it chooses its default certificate
 * authorities, even when the variable is unset.
 */
const CHOICE_OF_ROOTS = "NODE_USE_SYSTEM_CA";

/**
 * The Deno permissions that a program needs to reach a cluster, in the form of `permissions` in
 * `deno.json`. An absent field is a permission that is not needed.
 */
export interface Permissions {
  /** The environment variables that the operator's program reads; `true` for all. */
  readonly env?: readonly string[] | true;
  /**
   * The addresses (`HOST:PORT`) that the operator's program connects to: the API server or the
   * proxy to it, and the issuer of a legacy login.
   */
  readonly net?: readonly string[];
  /**
   * The files that the operator's program reads: the kubeconfig or the files of the service
   * account, and those that the kubeconfig names.
   */
  readonly read?: readonly string[];
  /**
   * The other programs that the operator's program runs: the credential plugin, or the shell of a
   * legacy login. These programs have all rights of the user.
   */
  readonly run?: readonly string[];
}

/**
 * The environment variables that the `ws` package for WebSockets reads when it is loaded, even when
 * the variables are unset.
 */
const LOOKED_FOR_BY_WS = ["WS_NO_BUFFER_UTIL", "WS_NO_UTF_8_VALIDATE"];

/** The shell that runs the commands of legacy logins. */
const SHELL = "/bin/sh";

/**
 * Options of {@linkcode findPermissions}: the capabilities of a program beyond requests and
 * watches.
 */
export type PermissionsOptions = NonNullable<Parameters<typeof findPermissions>[2]>;

/** The files and environment variables that a client configuration was loaded from. */
export interface ConfigSources {
  /** The paths of files that were read, or found missing, while the configuration was loaded. */
  readonly files: readonly string[];
  /**
   * The environment variables that have a value and were read while the configuration was loaded.
   */
  readonly variables: readonly string[];
}

/**
 * Returns the least Deno permissions with which a program can load a client configuration and reach
 * its cluster. The second argument has the files and variables from which the configuration was
 * loaded, by default none.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { permissionFlags } from "@xca/operator/client";
 * import { permissionsOf } from "./permissions.ts";
 *
 * const config = { server: "https://10.0.0.1:6443", credentials: { tokenFile: "/run/token" } };
 * const permissions = permissionsOf({ ...config, tls: { caFile: "/run/ca.crt" } });
 * assert(
 *   permissionFlags(permissions).join(" ") ===
 *     "--allow-net=10.0.0.1:6443 --allow-read=/run/ca.crt,/run/token",
 * );
 * ```
 */
export function permissionsOf(
  config: ClientConfig,
  { files, variables }: ConfigSources = { files: [], variables: [] },
  { streams = false }: PermissionsOptions = {},
): Permissions {
  const { server, proxyUrl, tls = {}, credentials = {} } = config;
  const { exec, authProvider, tokenFile } = credentials;
  const proxy = proxyUrl ? Proxy.parse(proxyUrl, "proxy-url") : undefined;
  const read = [...files, tls.caFile, tls.certFile, tls.keyFile, tokenFile];
  const secure = server.startsWith("https:") || proxy?.protocol === "https";
  const machineRoots = secure && !tls.caData && !tls.caFile && !tls.insecureSkipVerify;
  const login = exec ? undefined : authProvider?.config;
  return {
    // The packages that a legacy login loads read the whole environment.
    ...login ? { env: true } : list("env", [
      ...variables,
      machineRoots ? CHOICE_OF_ROOTS : undefined,
      ...streams ? LOOKED_FOR_BY_WS : [],
    ]),
    ...list("net", [proxy?.authority ?? authorityOf(server), issuerOf(login)]),
    ...list("read", read),
    ...list("run", [exec?.command, login?.["cmd-path"] && SHELL]),
  };
}

/**
 * Loads the client configuration ({@linkcode loadConfig}) and returns the Deno permissions that a
 * program with this configuration needs. Sends no request and runs no plugin.
 *
 * @throws {ConfigError} When there is no configuration, or it is invalid.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { findPermissions } from "@xca/operator/client";
 *
 * const kubeconfig = `{
 *   "current-context": "dev",
 *   "contexts": [{ "name": "dev", "context": { "cluster": "dev" } }],
 *   "clusters": [{ "name": "dev", "cluster": { "server": "http://127.0.0.1:8001" } }]
 * }`;
 * const host = {
 *   os: "linux",
 *   env: () => undefined,
 *   readFile: () => Promise.resolve(new TextEncoder().encode(kubeconfig)),
 * };
 * const permissions = await findPermissions({ kubeconfig: "/dev.config" }, host);
 * assert.deepEqual(permissions, { net: ["127.0.0.1:8001"], read: ["/dev.config"] });
 * ```
 */
export async function findPermissions(
  overrides: ConfigOverrides = {},
  host: Host = systemHost,
  options: {
    /**
     * Sets whether the permissions include those for exec, attach and port-forward.
     *
     * @default {false}
     */
    readonly streams?: boolean;
  } = {},
): Promise<Permissions> {
  const files = new Set<string>();
  const variables = new Set<string>();
  const config = await loadConfig(overrides, {
    os: host.os,
    env: (name) => {
      const value = host.env(name);
      if (value) variables.add(name);
      return value;
    },
    readFile: (path) => {
      files.add(path);
      return host.readFile(path);
    },
  });
  return permissionsOf(config, { files: [...files], variables: [...variables] }, options);
}

/**
 * Returns Deno permissions as flags of `deno run` in the order `--allow-env=...`,
 * `--allow-net=...`, `--allow-read=...`, `--allow-run=...`, each with its values in the given
 * order. The value `true` gives a flag without values; an absent or empty list gives no flag.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { permissionFlags } from "@xca/operator/client";
 *
 * const flags = permissionFlags({ net: ["10.0.0.1:6443"], read: ["/home/jane/.kube/config"] });
 * assert.deepEqual(flags, ["--allow-net=10.0.0.1:6443", "--allow-read=/home/jane/.kube/config"]);
 * ```
 */
export function permissionFlags(permissions: Permissions): string[] {
  const { env, net, read, run } = permissions;
  const flag = (name: string, values: readonly string[] | true = []): string[] => {
    if (values === true) return [`--allow-${name}`];
    return values.length === 0 ? [] : [`--allow-${name}=${values.map(escaped).join(",")}`];
  };
  return [
    ...flag("env", env),
    ...flag("net", net),
    ...flag("read", read),
    ...flag("run", run),
  ];
}

function list(
  kind: "env" | "net" | "read" | "run",
  values: readonly (string | undefined)[],
): Permissions {
  const given = [...new Set(values.filter((value) => value !== undefined && value !== ""))].sort();
  return given.length === 0 ? {} : { [kind]: given };
}

/**
 * Returns the host and port of the issuer from which a legacy login refreshes its token;
 * `undefined` without a refresh token or a valid issuer URL.
 */
function issuerOf(login: Readonly<Record<string, string>> = {}): string | undefined {
  const issuer = login["idp-issuer-url"] ?? "";
  return login["refresh-token"] && URL.canParse(issuer) ? authorityOf(issuer) : undefined;
}

/** Returns host and port of a URL; the default port if the URL omits it. */
function authorityOf(server: string): string {
  const { hostname, port, protocol } = new URL(server);
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}

/**
 * Returns a value of a permission flag with its commas, which otherwise separate values, doubled.
 */
function escaped(value: string): string {
  return value.replaceAll(",", ",,");
}
