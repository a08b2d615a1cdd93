import { type Host, systemHost } from "@xca/apimachinery/base";
import { type ClientConfig, ConfigError, type ConfigOverrides } from "../config/config.ts";
import { type Sourced, unset } from "../config/config_place.ts";
import { checkFlags, resolveConnection } from "./config_resolve.ts";
import { surroundingsOf } from "./in_cluster.ts";
import type { ClusterEntry, UserEntry } from "./kubeconfig.ts";
import { readAuthProvider, readExec } from "./kubeconfig_exec.ts";
import { KubeconfigNode } from "./kubeconfig_node.ts";
import { anonymous, noCluster } from "./kubeconfig_select.ts";
import { readingOnce } from "./reading_once.ts";

/** The cluster that another library's kubeconfig ({@linkcode KubeConfigLike}) returns. */
export type ClusterLike = NonNullable<ReturnType<KubeConfigLike["getCurrentCluster"]>>;

/** The user that another library's kubeconfig ({@linkcode KubeConfigLike}) returns. */
export type UserLike = NonNullable<ReturnType<KubeConfigLike["getCurrentUser"]>>;

/**
 * The methods of another library's kubeconfig that this library uses. `KubeConfig` of
 * `@kubernetes/client-node` has them.
 */
export interface KubeConfigLike {
  /** Returns the name of the current context of the kubeconfig. */
  getCurrentContext(): string;
  /** Returns a context of the kubeconfig by its name; `null` or `undefined` when there is none. */
  getContextObject(name: string): { readonly namespace?: string | undefined } | null | undefined;
  /**
   * Returns the cluster of the kubeconfig's current context; `null` or `undefined` when there is
   * none.
   */
  getCurrentCluster():
    | {
      /** The name of the kubeconfig cluster. */
      readonly name: string;
      /** The URL of the kubeconfig cluster's API server. */
      readonly server: string;
      /** The certificate authorities of the cluster: PEM text as base64. */
      readonly caData?: string | undefined;
      /**
       * The path of a PEM file with the certificate authorities of the cluster; ignored if `caData`
       * is given.
       */
      readonly caFile?: string | undefined;
      /**
       * Reports whether the client accepts any certificate of the cluster's API server.
       *
       * @default {false}
       */
      readonly skipTLSVerify?: boolean | undefined;
      /** The name that the certificate of the cluster's API server must be valid for. */
      readonly tlsServerName?: string | undefined;
      /** The URL of the proxy to the kubeconfig cluster. */
      readonly proxyUrl?: string | undefined;
    }
    | null
    | undefined;
  /**
   * Returns the user of the kubeconfig's current context; `null` or `undefined` when there is none.
   */
  getCurrentUser():
    | {
      /** The name of the kubeconfig user. */
      readonly name: string;
      /** The client certificate of the user: PEM text as base64. */
      readonly certData?: string | undefined;
      /**
       * The path of a PEM file with the client certificate of the user; ignored if `certData` is
       * given.
       */
      readonly certFile?: string | undefined;
      /** The private key of the user: PEM text as base64. */
      readonly keyData?: string | undefined;
      /** The path of a PEM file with the private key of the user; ignored if `keyData` is given. */
      readonly keyFile?: string | undefined;
      /** The bearer token of the kubeconfig user. */
      readonly token?: string | undefined;
      /** The basic authentication user name of the kubeconfig user. */
      readonly username?: string | undefined;
      /** The basic authentication password of the kubeconfig user. */
      readonly password?: string | undefined;
      /** The name of the user that the kubeconfig user impersonates. */
      readonly impersonateUser?: string | undefined;
      /**
       * The credential plugin of the kubeconfig user: an object with the fields of `exec` in a
       * kubeconfig.
       */
      readonly exec?: unknown;
      /**
       * The legacy login of the kubeconfig user. A login with the name `tokenFile` is none: its
       * `config.tokenFile` is the path of a token file.
       */
      readonly authProvider?: unknown;
    }
    | null
    | undefined;
}

/**
 * Returns the client configuration of the current context of another library's kubeconfig, such as
 * `KubeConfig` of `@kubernetes/client-node`. The kubeconfig is checked like a kubeconfig file, and
 * the flags of kubectl are applied to it, except those that select a file, context, cluster or
 * user. Relative paths start at the working folder.
 *
 * @throws {ConfigError} When the kubeconfig has no current cluster, or is invalid.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { configFromKubeConfigLike } from "@xca/operator/client";
 *
 * const config = await configFromKubeConfigLike({
 *   getCurrentContext: () => "dev",
 *   getContextObject: () => ({ namespace: "team-a" }),
 *   getCurrentCluster: () => ({ name: "kind", server: "https://127.0.0.1:6443" }),
 *   getCurrentUser: () => ({ name: "me", token: "abc" }),
 * });
 * assert(config.namespace === "team-a");
 * assert(config.credentials?.token === "abc");
 * ```
 */
export async function configFromKubeConfigLike(
  kubeConfig: KubeConfigLike,
  overrides: ConfigOverrides = {},
  host: Host = systemHost,
): Promise<ClientConfig> {
  checkFlags(overrides, host.os);
  const name = kubeConfig.getCurrentContext();
  const cluster = kubeConfig.getCurrentCluster();
  const user = kubeConfig.getCurrentUser();
  if (!cluster) {
    throw new ConfigError(
      `Cannot use the KubeConfig: its context ${JSON.stringify(name ?? "")} has no cluster; ` +
        "load it first (loadFromDefault), or set its current context",
    );
  }
  const selection = {
    source: `context ${JSON.stringify(name)} of a KubeConfig`,
    cluster: clusterEntry(cluster),
    user: user ? userEntry(user) : anonymous(),
    namespace: at(kubeConfig.getContextObject(name)?.namespace, "namespace of the KubeConfig"),
  };
  const once = readingOnce(host);
  return await resolveConnection(selection, overrides, surroundingsOf(once), once);
}

function clusterEntry(cluster: ClusterLike): ClusterEntry {
  const place = `cluster ${JSON.stringify(cluster.name)} of the KubeConfig`;
  const text = (field: keyof ClusterLike): Sourced<string> =>
    at(cluster[field] as string | undefined, `${field} of ${place}`);
  return {
    ...noCluster(),
    place,
    server: text("server"),
    certificateAuthority: cluster.caData ? unset("") : text("caFile"),
    certificateAuthorityData: text("caData"),
    insecureSkipTlsVerify: {
      value: cluster.skipTLSVerify ?? false,
      place: `skipTLSVerify of ${place}`,
      folder: undefined,
    },
    tlsServerName: text("tlsServerName"),
    proxyUrl: text("proxyUrl"),
  };
}

function userEntry(user: UserLike): UserEntry {
  const place = `user ${JSON.stringify(user.name)} of the KubeConfig`;
  const text = (field: keyof UserLike): Sourced<string> =>
    at(user[field] as string | undefined, `${field} of ${place}`);
  const node = (value: unknown, field: string): KubeconfigNode =>
    new KubeconfigNode(asMaps(value), field, { path: place, folder: "." });
  const authProvider = readAuthProvider(node(user.authProvider, "authProvider"));
  const tokenFile = authProvider.value?.name.value === "tokenFile"
    ? authProvider.value.config["tokenFile"]
    : undefined;
  return {
    ...anonymous(),
    place,
    clientCertificate: user.certData ? unset("") : text("certFile"),
    clientCertificateData: text("certData"),
    clientKey: user.keyData ? unset("") : text("keyFile"),
    clientKeyData: text("keyData"),
    token: text("token"),
    tokenFile: at(tokenFile, `authProvider of ${place}`),
    username: text("username"),
    password: text("password"),
    as: text("impersonateUser"),
    exec: readExec(node(user.exec, "exec")),
    authProvider: tokenFile === undefined ? authProvider : unset(undefined),
  };
}

function at(value: string | undefined, place: string): Sourced<string> {
  return { value: value ?? "", place, folder: undefined };
}

/**
 * Returns a value with the plain objects at every depth converted to maps, the form in which the
 * YAML of a kubeconfig is parsed.
 */
function asMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asMaps);
  if (typeof value !== "object" || value === null) return value;
  return new Map(Object.entries(value).map(([key, item]) => [key, asMaps(item)]));
}
