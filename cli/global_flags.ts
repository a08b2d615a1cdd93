import { Command } from "@commander-js/extra-typings";
import type { ConfigOverrides } from "../lib/client/mod.ts";
import { isDnsLabel } from "@xca/apimachinery/meta";
import { UsageError } from "./usage_error.ts";

/**
 * The flags that all commands accept, by the parser's attribute names: kubectl's flags for reaching
 * a cluster, and the flags of the log.
 */
export interface GlobalFlags {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  /**
   * The namespace that the last `--namespace` flag of the command line names; an empty one counts
   * as absent.
   */
  readonly namespace?: string | undefined;
  /** The namespaces that all `--namespace` flags of the command line name, in their order. */
  readonly namespaces?: readonly string[] | undefined;
  readonly server?: string | undefined;
  readonly master?: string | undefined;
  readonly token?: string | undefined;
  readonly as?: string | undefined;
  readonly asGroup?: readonly string[] | undefined;
  readonly asUid?: string | undefined;
  readonly certificateAuthority?: string | undefined;
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
  readonly tlsServerName?: string | undefined;
  readonly requestTimeout?: string | undefined;
  readonly v?: number | undefined;
  readonly logFormat?: string | undefined;
}

/** The attribute names of the flags that select a cluster and a user, without the namespace. */
export const CONNECTION_FLAGS: readonly (keyof GlobalFlags)[] = [
  "kubeconfig",
  "context",
  "cluster",
  "user",
  "server",
  "master",
  "token",
  "as",
  "asGroup",
  "asUid",
  "certificateAuthority",
  "clientCertificate",
  "clientKey",
  "insecureSkipTlsVerify",
  "tlsServerName",
];

/**
 * Returns a flag as it is written on the command line, from its attribute name: `--as-group` for
 * `asGroup`; `undefined` for `undefined`.
 */
export function flagWord<Name extends string | undefined>(
  name: Name,
): Name extends undefined ? undefined : string;
export function flagWord(name: string | undefined): string | undefined {
  return name && `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Returns the flags of a command. `--namespace` may be given several times: commands that work in
 * one namespace use the last, as kubectl does.
 */
export function flagsOf<Flags extends GlobalFlags>(command: Command): Flags {
  const { namespace: namespaces, ...flags } = command.optsWithGlobals() as
    & Record<string, unknown>
    & {
      readonly namespace?: readonly string[];
    };
  return { ...flags, ...(namespaces && { namespaces, namespace: namespaces.at(-1) }) } as Flags;
}

/** The values of the flag that selects the format of log lines. */
export const LOG_FORMATS = ["text", "json"] as const;

/** Adds kubectl's connection flags and the flags of the log to a command. */
export function addGlobalFlags(command: Command): void {
  command
    .option(
      "--kubeconfig <path>",
      "the kubeconfig file to use, instead of KUBECONFIG and ~/.kube/config",
    )
    .option("--context <name>", "the kubeconfig context to use")
    .option("--cluster <name>", "the kubeconfig cluster to use")
    .option("--user <name>", "the kubeconfig user to use")
    .option("-n, --namespace <name>", "the namespace to work in", collect)
    .option("-s, --server <url>", "the address and port of the API server")
    .option("--master <url>", "the same as --server")
    .option("--token <token>", "bearer token for authentication to the API server")
    .option("--as <user>", "user to impersonate")
    .option("--as-group <group>", "group to impersonate; may be given several times", collect)
    .option("--as-uid <uid>", "UID to impersonate")
    .option(
      "--certificate-authority <path>",
      "certificate file of the authority that signs the server's",
    )
    .option("--client-certificate <path>", "client certificate file")
    .option("--client-key <path>", "client key file")
    .option("--insecure-skip-tls-verify", "do not check the server's certificate (insecure)")
    .option("--tls-server-name <name>", "the name to check the server's certificate against")
    .option(
      "--request-timeout <duration>",
      "give up a request after this time, such as 5s or 1m; 0 is never",
    )
    .option("-v, --v <level>", "how much to log: 0 is normal, 1 and more is detail", parseLevel)
    .option("--log-format <format>", `how to log: ${LOG_FORMATS.join(" or ")}`, parseLogFormat);
}

/**
 * Converts the command line flags that select a cluster, a user, a namespace and a request timeout
 * to overrides of the client configuration; absent flags are left out.
 *
 * @throws {UsageError} When `--namespace` is not a valid name, or `--server` and `--master` differ.
 */
export function configOverrides(flags: GlobalFlags): ConfigOverrides {
  if (flags.namespace) checkNamespace(flags.namespace);
  const { server, master } = flags;
  if (server !== undefined && master !== undefined && server !== master) {
    throw new UsageError(`--server is ${server} and --master is ${master}: give one of them`);
  }
  return withoutUndefined({
    kubeconfig: flags.kubeconfig,
    context: flags.context,
    cluster: flags.cluster,
    user: flags.user,
    namespace: flags.namespace || undefined, // An empty value counts as absent, as with kubectl.
    server: server ?? master,
    token: flags.token,
    as: flags.as,
    asGroups: flags.asGroup,
    asUid: flags.asUid,
    certificateAuthority: flags.certificateAuthority,
    clientCertificate: flags.clientCertificate,
    clientKey: flags.clientKey,
    insecureSkipTlsVerify: flags.insecureSkipTlsVerify,
    tlsServerName: flags.tlsServerName,
    requestTimeout: flags.requestTimeout,
  });
}

/**
 * Checks the namespace that the flag `--namespace` has.
 *
 * @throws {UsageError} When the value is not a valid namespace.
 */
export function checkNamespace(namespace: string): void {
  if (isDnsLabel(namespace)) return;
  throw new UsageError(
    `--namespace ${JSON.stringify(namespace)} cannot be a namespace: ` +
      "use lower-case letters, digits and '-', at most 63 characters",
  );
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...before ?? [], value];
}

function parseLevel(value: string): number {
  if (!/^[0-9]{1,2}$/.test(value)) {
    throw new UsageError(`-v must be a number from 0 to 99, is ${JSON.stringify(value)}`);
  }
  return Number(value);
}

function parseLogFormat(value: string): string {
  if ((LOG_FORMATS as readonly string[]).includes(value)) return value;
  throw new UsageError(
    `--log-format must be ${LOG_FORMATS.join(" or ")}, is ${JSON.stringify(value)}`,
  );
}

function withoutUndefined<T extends object>(
  value: { [Field in keyof T]: T[Field] | undefined },
): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}
