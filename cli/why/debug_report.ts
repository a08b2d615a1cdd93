import { errorText } from "@xca/apimachinery/base";
import {
  type Client,
  type ClientConfig,
  createClient,
  isForbidden,
  isNotFound,
  isUnauthorized,
  UnreachableError,
} from "../../lib/client/mod.ts";
import type { CacheReport, ControllerReport } from "../../lib/controller/mod.ts";
import type { CliContext } from "../context.ts";

/** The report on an operator's leader election: the section `lease` of `/debug`. */
export interface LeaseReport {
  /** Whether the operator uses leader election. */
  readonly elects: boolean;
  /** Whether the process that sent the report is the leader. */
  readonly leads: boolean;
  /** The namespace and name of the election's Lease. */
  readonly lease?: string;
  /** The identity of the leader of the election. */
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

/** The URL and credentials of an operator's metrics server. */
export interface DebugAccess {
  /** The URL of the metrics server. */
  readonly url: string;
  /** The bearer token for the metrics server; none for a server that requires none. */
  readonly token: string | undefined;
}

/** Error about an operator that provides no `/debug` report. */
export class NoReportError extends Error {
  override readonly name = "NoReportError";
}

/** Returns the bearer token of a client configuration, if it has one that needs no program. */
export async function tokenOf(
  { credentials }: ClientConfig,
  { host }: CliContext,
): Promise<string | undefined> {
  if (credentials?.tokenFile === undefined) return credentials?.token;
  return new TextDecoder().decode(await host.readFile(credentials.tokenFile)).trim();
}

/**
 * Reads the `/debug` report of an operator. The certificate of a server on this machine is not
 * verified, since metrics servers create self-signed ones by default; the certificates of other
 * servers are verified.
 *
 * @throws {NoReportError} When the server refuses the report, has none, or answers something else.
 * @throws {UnreachableError} When the server does not answer.
 */
export async function readReport(
  { url, token }: DebugAccess,
  key: string,
  context: CliContext,
): Promise<DebugReport> {
  const { hostname } = new URL(url);
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  using client = createClient({
    server: url,
    ...(token && { credentials: { token } }),
    ...(url.startsWith("https:") && isLocal && { tls: { insecureSkipVerify: true } }),
    requestTimeoutMs: 10_000,
    source: "the operator's metrics server",
  }, { clock: context.clock, random: context.random });
  const report: Partial<DebugReport> & { readonly caches?: unknown } = await ask(client, key, url);
  const { controllers, caches, lease } = report;
  const cachesOf = (caches as { readonly caches?: readonly CacheReport[] } | undefined)?.caches;
  if (!Array.isArray(controllers) || !Array.isArray(cachesOf) || lease === undefined) {
    throw new NoReportError(
      `the operator at ${url} reports no controllers, caches and lease: it may have another version`,
    );
  }
  return { controllers, caches: cachesOf, lease };
}

async function ask(client: Client, key: string, url: string): Promise<DebugReport> {
  try {
    return await client.requestJson({ path: "/debug", query: { key }, retry: false });
  } catch (error) {
    if (isUnauthorized(error)) {
      throw new NoReportError(
        `the operator at ${url} wants a token: give --service-account NAME, or a kubeconfig with one`,
        { cause: error },
      );
    }
    if (isForbidden(error)) {
      throw new NoReportError(
        `the operator at ${url} does not let you read /debug: allow get of the nonResourceURL /debug, ` +
          "and where it serves without TLS, bind it to localhost",
        { cause: error },
      );
    }
    if (isNotFound(error)) {
      throw new NoReportError(
        `the operator at ${url} has no /debug: start its metrics server with debug sources`,
        { cause: error },
      );
    }
    if (error instanceof UnreachableError) {
      const { server, neverSent, mayPass, cause = error } = error;
      throw new UnreachableError(
        `cannot reach the operator at ${url}: ${errorText(cause)}; check the URL, and that the ` +
          "operator was started with --metrics-bind-address",
        { server, neverSent, mayPass, cause: error },
      );
    }
    throw error;
  }
}
