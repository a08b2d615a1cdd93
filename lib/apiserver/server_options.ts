import type { Clock, Random } from "@xca/apimachinery/base";
import type { StaticTokens } from "./access/tokens/static_tokens.ts";
import type { AuditSink } from "./audit/audit_trail.ts";
import type { CallWebhook } from "./machinery/call_webhook.ts";
import type { HostPort } from "./machinery/registry_reader.ts";
import type { ServerComponent } from "./registry/handlers/component_statuses.ts";

/** Options of `ApiServer.start`, which starts an in-process API server. */
export interface ApiServerOptions {
  /**
   * The clock of the API server. On another clock than the default, the server does not probe
   * extension API servers.
   *
   * @default {systemClock}
   */
  readonly clock?: Clock;
  /** The random number source of the API server. @default {systemRandom} */
  readonly random?: Random;
  /**
   * The address range, as CIDR, from which Services get their cluster IPs.
   *
   * @default {"10.0.0.0/24"}
   */
  readonly serviceCidr?: string;
  /**
   * The range from which Services get their node ports, both ends included.
   *
   * @default {30000 to 32767}
   */
  readonly nodePorts?: { readonly first: number; readonly last: number };
  /**
   * The path of the file that stores the cluster, created if missing. Everything that a response or
   * a watch shows is on disk before it is sent. A lock file beside the file, `<path>.lock`, keeps
   * other servers from using it.
   *
   * @default {none: the cluster ends with the server}
   */
  readonly data?: string;
  /**
   * The size limit of the write history in bytes. When the history exceeds the limit, the server
   * compacts the oldest writes, even if they are younger than the five minutes for which writes are
   * kept otherwise.
   *
   * @default {512 MiB}
   */
  readonly historyBytes?: number;
  /**
   * The controllers of kube-controller-manager that run in the API server, of
   * `API_SERVER_CONTROLLERS`, as the flag `--controllers` of kube-controller-manager has them:
   * names, `*` for all, and names after a minus sign for those to leave out. `true` for all,
   * `false` for none. Those of kube-apiserver itself always run.
   *
   * @default {true}
   */
  readonly controllers?: boolean | readonly string[];
  /**
   * The private key that signs service account tokens (PKCS #8 as PEM text).
   *
   * @default {a new random key, so that tokens become invalid when the server ends}
   */
  readonly serviceAccountKey?: string;
  /** The users that static bearer tokens authenticate, by token. @default {none} */
  readonly tokens?: StaticTokens;
  /**
   * The names of the admission plugins to run besides those that run by default, as
   * kube-apiserver's flag `--enable-admission-plugins` has them. The only one that does not run by
   * default is `ServiceAccount`: it refuses pods whose service account does not exist; a pod that
   * names none has the account `default` of its namespace, which a controller creates.
   *
   * @default {none}
   */
  readonly enableAdmissionPlugins?: readonly string[];
  /**
   * The names of the admission plugins that do not run, as kube-apiserver's flag
   * `--disable-admission-plugins` has them. Plugins that are also enabled do run.
   *
   * @default {none}
   */
  readonly disableAdmissionPlugins?: readonly string[];
  /**
   * The function that receives the audit log of the API server, line by line.
   *
   * @default {no audit log}
   */
  readonly audit?: AuditSink;
  /**
   * The function that calls admission and conversion webhooks.
   *
   * @default {over TLS, to the configured address}
   */
  readonly callWebhook?: CallWebhook;
  /**
   * Returns the address at which a kubelet or an extension API server is reached, given the address
   * that the cluster names: the node's status, or the service of the APIService.
   *
   * @default {the address that the cluster names}
   */
  readonly reach?: (named: HostPort) => HostPort;
  /**
   * The components that run beside the API server, which ComponentStatuses report as healthy.
   * kube-apiserver probes their ports; this server does not.
   *
   * @default {none}
   */
  readonly components?: readonly ServerComponent[];
}
