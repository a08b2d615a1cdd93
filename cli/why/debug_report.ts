import { errorText } from "@xca/apimachinery/base";
import {
  ApiError,
  type Client,
  type ClientConfig,
  createClient,
  isForbidden,
  isUnauthorized,
  UnreachableError,
} from "../../lib/client/mod.ts";
import type { CacheReport, ControllerReport } from "../../lib/controller/mod.ts";
import type { CliContext } from "../context.ts";

/** The report on an operator's leader election: the section `lease` of `/debug`. */
export interface LeaseReport {
  /** Reports whether the operator uses leader election. */
  readonly elects: boolean;
  /** Reports whether the process that sent the report is the leader; true without an election. */
  readonly leads: boolean;
  /** The key of the election's Lease, `namespace/name`; absent without an election. */
  readonly lease?: string;
  /**
   * The identity of the leader of the election; absent or empty when no process leads or there is
   * no election.
   */
  readonly leader?: string;
}

/** The sections of an operator's `/debug` report that `kubectl xca why` reads. */
export interface DebugReport {
  /** The `/debug` reports on the operator's controllers. */
  readonly controllers: readonly ControllerReport[];
  /** The `/debug` reports on the operator's caches. */
  readonly caches: readonly CacheReport[];
  /** The `/debug` report on the operator's leader election. */
  readonly lease: LeaseReport;
}

/**
 * The URL and credentials of an operator's metrics server, from which {@linkcode readReport} reads
 * the report.
 */
export interface DebugAccess {
  /** The URL of the metrics server. */
  readonly url: string;
  /** The bearer token for the metrics server; `undefined` for a server that requires no token. */
  readonly token: string | undefined;
  /** The port-forward to which the URL leads. @default none: the URL is that of the server */
  readonly forward?: ForwardToPod | undefined;
}

/** A port-forward to the metrics server in a pod. */
export interface ForwardToPod {
  /** The key of the pod, `namespace/name`. */
  readonly pod: string;
  /** The port of the metrics server in the pod. */
  readonly port: number;
  /**
   * Returns the error with which the last connection to the pod failed; `undefined` if no
   * connection failed.
   */
  readonly failure: () => unknown;
}

/**
 * The error of `kubectl xca why` without a `/debug` report: no pod of the operator is found, or its
 * metrics server refuses the report or has none.
 */
export class NoReportError extends Error {
  override readonly name = "NoReportError";
}

/**
 * Returns the bearer token of a client configuration, given or read from its token file;
 * `undefined` if it has none, or has a program that issues the token.
 */
export async function tokenOf(
  { credentials }: ClientConfig,
  { host }: CliContext,
): Promise<string | undefined> {
  if (credentials?.tokenFile === undefined) return credentials?.token;
  return new TextDecoder().decode(await host.readFile(credentials.tokenFile)).trim();
}

/**
 * Reads the `/debug` report of an operator. `key` is the key of the object that the report is
 * about. The certificate of a server on this machine is not verified, since metrics servers create
 * self-signed ones by default; the certificates of other servers are verified.
 *
 * @throws {NoReportError} When the server refuses the report, has none, or answers without
 * controllers, caches and lease.
 * @throws {UnreachableError} When the server does not answer.
 */
export async function readReport(
  access: DebugAccess,
  key: string,
  context: CliContext,
): Promise<DebugReport> {
  const { url, token } = access;
  const { hostname } = new URL(url);
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  using client = createClient({
    server: url,
    ...(token && { credentials: { token } }),
    ...(url.startsWith("https:") && isLocal && { tls: { insecureSkipVerify: true } }),
    requestTimeoutMs: 10_000,
    source: "the operator's metrics server",
  }, { clock: context.clock, random: context.random, warnsOfInsecure: false });
  const report: Partial<DebugReport> & { readonly caches?: unknown } = await ask(
    client,
    key,
    access,
  );
  const { controllers, caches, lease } = report;
  const cachesOf = (caches as { readonly caches?: readonly CacheReport[] } | undefined)?.caches;
  if (!Array.isArray(controllers) || !Array.isArray(cachesOf) || lease === undefined) {
    throw new NoReportError(
      `${nameOf(access)} reports no controllers, caches and lease: it may have another version`,
    );
  }
  return { controllers, caches: cachesOf, lease };
}

async function ask(client: Client, key: string, access: DebugAccess): Promise<DebugReport> {
  try {
    return await client.requestJson({ path: "/debug", query: { key }, retry: false });
  } catch (error) {
    const operator = nameOf(access);
    if (isUnauthorized(error)) {
      throw new NoReportError(
        `${operator} wants a token: give --service-account NAME, or a kubeconfig with one`,
        { cause: error },
      );
    }
    if (isForbidden(error)) {
      const reason = errorText(error);
      // A server without TLS has no access check, and refuses /debug unless it listens on loopback.
      const next = reason.includes("Authorization denied")
        ? "; bind a ClusterRole with nonResourceURLs [/debug, /debug/*] and verbs [get] to that user"
        : "";
      throw new NoReportError(`${operator} does not let you read /debug: ${reason}${next}`);
    }
    if (error instanceof ApiError && error.code === 404) {
      throw new NoReportError(
        `${operator} has no /debug: start its metrics server with debug sources`,
        { cause: error },
      );
    }
    if (error instanceof UnreachableError) {
      const { server, neverSent, mayPass, cause = error } = error;
      const reason = access.forward?.failure() ?? cause;
      const given = access.forward ? "--port" : "the URL";
      throw new UnreachableError(
        `cannot reach ${operator}: ${
          errorText(reason)
        }; check ${given}, and that the operator was ` +
          "started with --metrics-bind-address",
        { server, neverSent, mayPass },
      );
    }
    throw error;
  }
}

/**
 * Returns a phrase that names an operator in messages: by its pod, or by the URL of its metrics
 * server.
 */
function nameOf({ url, forward }: DebugAccess): string {
  return forward
    ? `the operator in pod ${forward.pod}, port ${forward.port}`
    : `the operator at ${url}`;
}
