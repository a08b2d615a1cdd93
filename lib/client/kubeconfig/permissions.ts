import { type Host, systemHost } from "@xca/apimachinery/base";
import type { ClientConfig, ConfigOverrides } from "../config/config.ts";
import { loadConfig } from "./load_config.ts";
import { Proxy } from "../config/proxy.ts";

/** The runtime asks for it before it hands out the machine's certificate authorities, set or not. */
const CHOICE_OF_ROOTS = "NODE_USE_SYSTEM_CA";

/**
 * What a program must be allowed on this runtime to reach a cluster, in the words of the `permissions`
 * in `deno.json`. What is absent is not needed.
 */
export interface Permissions {
  /** Environment variables that count; `true` is all of them. */
  readonly env?: readonly string[] | true;
  /** `HOST:PORT` of the API server, or of the proxy on the way to it. */
  readonly net?: readonly string[];
  /** The kubeconfig and the files that it names. */
  readonly read?: readonly string[];
  /** The credential plugin; it runs with all rights of the user. */
  readonly run?: readonly string[];
}

/** The package that opens WebSockets looks for them as it loads, set or not. */
const LOOKED_FOR_BY_WS = ["WS_NO_BUFFER_UTIL", "WS_NO_UTF_8_VALIDATE"];

/** What legacy logins run their command with. */
const SHELL = "/bin/sh";

/** What a program does beside requests and watches. */
export interface PermissionsOptions {
  /** It execs into pods, attaches to them, or forwards their ports. @default {false} */
  readonly streams?: boolean;
}

/** What a configuration was loaded from. */
export interface ConfigSources {
  /** The files that were looked for, those that are missing too. */
  readonly files: readonly string[];
  /** The environment variables that were set and read. */
  readonly variables: readonly string[];
}

/**
 * The smallest permissions with which a program can load this configuration and reach its cluster.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { permissionFlags, permissionsOf } from "@xca/operator/client";
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
    // The packages that a legacy login loads look through the whole environment.
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
 * The permissions for the configuration that {@linkcode loadConfig} finds with the same flags. It is
 * loaded for that; neither the cluster nor a plugin is asked.
 *
 * @throws {ConfigError} When there is no configuration, or it cannot be used.
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
  options: PermissionsOptions = {},
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
 * The permissions as flags of `deno run`, sorted: `--allow-env=...`, `--allow-net=...`, ...
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

/** Where a legacy login refreshes its token, if it can. */
function issuerOf(login: Readonly<Record<string, string>> = {}): string | undefined {
  const issuer = login["idp-issuer-url"] ?? "";
  return login["refresh-token"] && URL.canParse(issuer) ? authorityOf(issuer) : undefined;
}

/** With the port, also where the URL leaves out its scheme's own. */
function authorityOf(server: string): string {
  const { hostname, port, protocol } = new URL(server);
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}

/** A comma parts values; two stand for one. */
function escaped(value: string): string {
  return value.replaceAll(",", ",,");
}
