import { permissionFlags, type Permissions } from "../client/kubeconfig/permissions.ts";
import { checkSetup, isServed } from "./setup_options.ts";

/** The folder in a pod in which Kubernetes mounts the token of the service account. */
const ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * The loopback host on which a server with TLS tests a certificate by a handshake, on a free port.
 */
const HANDSHAKES = "127.0.0.1";

/**
 * The address of the API server in a pod, as variables that Kubernetes replaces in the arguments of
 * a container.
 */
const API_SERVER = "$(KUBERNETES_SERVICE_HOST):$(KUBERNETES_SERVICE_PORT)";

/** The address of one of the manager's servers, as {@linkcode denoFlagsOf} reads it. */
export interface ListeningServer {
  /**
   * The address that the server listens on, such as `:8443`; `0` or empty for no server. A name or
   * an IPv4 or bracketed IPv6 address may precede the colon.
   */
  readonly bindAddress: string;
}

/**
 * The paths of the files with a TLS certificate, its private key and its certificate authorities.
 */
export interface FilesOfCertificate {
  /** The path of the certificate's file. */
  readonly certFile: string;
  /** The path of the file with the certificate's private key. */
  readonly keyFile: string;
  /**
   * The path of the file with the authorities by which clients verify the certificate.
   *
   * @default {none: no such file is read}
   */
  readonly caFile?: string | undefined;
}

/**
 * Options of {@linkcode denoFlagsOf}: the setup of the manager. The options of `createManager()`
 * fit, so that one object serves both.
 */
export interface DenoFlagsOptions {
  /**
   * The permissions to load the client configuration and to reach the cluster, as
   * `findPermissions()` of `@xca/operator/client` returns them.
   *
   * @default those of a pod with a service account
   */
  readonly cluster?: Permissions | undefined;
  /**
   * The `HOST:PORT` of the API server in a pod. The default has the variables that Kubernetes
   * replaces in the `args` of a container (not in those of an image). An IPv6 address has brackets.
   * Without effect if `cluster` is given.
   *
   * @default {"$(KUBERNETES_SERVICE_HOST):$(KUBERNETES_SERVICE_PORT)"}
   */
  readonly apiServer?: string | undefined;
  /** The address of the manager's server of `/healthz` and `/readyz`. @default none */
  readonly healthServer?: ListeningServer | undefined;
  /**
   * The address and TLS options of the manager's server of `/metrics` and `/debug`.
   *
   * @default none
   */
  readonly metricsServer?:
    | (ListeningServer & {
      /** Sets whether the metrics server serves TLS. @default {true} */
      readonly secure?: boolean | undefined;
      /** The certificate files of the metrics server. @default none: self-signed */
      readonly certificate?: FilesOfCertificate | undefined;
    })
    | undefined;
  /**
   * The address and certificate files of the server of admission and conversion webhooks.
   *
   * @default none
   */
  readonly webhookServer?:
    | (ListeningServer & {
      /** The certificate files of the webhook server. @default none */
      readonly certificate?: FilesOfCertificate | undefined;
    })
    | undefined;
  /**
   * The environment variables that the operator's program reads in addition to those of the client.
   *
   * @default none
   */
  readonly env?: readonly string[] | undefined;
  /**
   * The `HOST:PORT` addresses that the operator's program connects to in addition to the API
   * server.
   *
   * @default none
   */
  readonly net?: readonly string[] | undefined;
  /**
   * The files and folders that the operator's program reads in addition to those of the client.
   *
   * @default none
   */
  readonly read?: readonly string[] | undefined;
}

/**
 * Returns the minimal Deno flags for the program of an operator: the permissions to reach the API
 * server, to listen on the addresses of its servers, and to use the variables, addresses and files
 * that the options name; and `--no-prompt`, so that a missing permission ends the program with a
 * line that names it. With a server with TLS, the flags also permit 127.0.0.1, where the server
 * tests each certificate by a handshake on a free port.
 *
 * @throws {TypeError} When an address is invalid, or an option is unknown.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { denoFlagsOf } from "@xca/operator/rbac";
 *
 * assert.deepEqual(denoFlagsOf({ apiServer: "10.0.0.1:443", healthServer: { bindAddress: ":8081" } }), [
 *   "--no-prompt",
 *   "--allow-env=KUBERNETES_SERVICE_HOST,KUBERNETES_SERVICE_PORT",
 *   "--allow-net=0.0.0.0:8081,10.0.0.1:443,[::]:8081",
 *   "--allow-read=/var/run/secrets/kubernetes.io/serviceaccount",
 * ]);
 * ```
 */
export function denoFlagsOf(options: DenoFlagsOptions = {}): string[] {
  checkSetup("Cannot name the Deno flags", options);
  const { apiServer = API_SERVER, healthServer, metricsServer, webhookServer } = options;
  const cluster: Permissions = options.cluster ?? {
    env: ["KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT"],
    net: [apiServer],
    read: [ACCOUNT_FOLDER],
  };
  const servers = [healthServer, metricsServer, webhookServer];
  const files = [metricsServer?.certificate, webhookServer?.certificate].flatMap((pair) =>
    pair ? [pair.certFile, pair.keyFile, ...pair.caFile === undefined ? [] : [pair.caFile]] : []
  );
  const hasTls = metricsServer?.secure !== false && listened(metricsServer).length > 0 ||
    listened(webhookServer).length > 0;
  return [
    "--no-prompt",
    ...permissionFlags({
      env: cluster.env === true ? true : joined(cluster.env, options.env),
      net: leastAddresses(joined(
        cluster.net,
        servers.flatMap(listened),
        hasTls ? [HANDSHAKES] : [],
        options.net,
      )),
      read: joined(cluster.read, files, options.read),
      ...(cluster.run && { run: cluster.run }),
    }),
  ];
}

function joined(...lists: readonly (readonly string[] | undefined)[]): string[] {
  return [...new Set(lists.flatMap((each) => each ?? []))].sort();
}

/**
 * Returns the network addresses except those with a port whose host is also in the list without a
 * port, which permits all its ports.
 */
function leastAddresses(addresses: readonly string[]): string[] {
  const hosts = new Set(addresses);
  return addresses.filter((each) => {
    const at = each.lastIndexOf(":");
    return at < 0 || !hosts.has(each.slice(0, at));
  });
}

/**
 * Returns the network permissions for the addresses that a server listens on. For a server that
 * listens on all addresses, they include those of IPv4, for machines without IPv6. Empty without a
 * server.
 *
 * @throws {TypeError} When the address of the server is not valid.
 */
function listened(server: ListeningServer | undefined): string[] {
  const { bindAddress = "0" } = server ?? {};
  if (!isServed(bindAddress)) return [];
  if (!/^(\[[0-9a-fA-F:.%]+\]|[^\s:[\]/]*):\d{1,5}$/.test(bindAddress)) {
    throw new TypeError(
      `Cannot name the Deno flags of a server on ${JSON.stringify(bindAddress)}: an address is ` +
        "host:port or :port, such as :8443",
    );
  }
  return bindAddress.startsWith(":")
    ? [`0.0.0.0${bindAddress}`, `[::]${bindAddress}`]
    : [bindAddress];
}
