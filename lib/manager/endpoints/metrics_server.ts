import { checkOptionNames, type OptionNames } from "@xca/apimachinery/internal/base";
import { type Clock, type Host, systemClock, systemHost } from "@xca/apimachinery/base";
import type { CertificateFiles, CertificateMetrics, ServerLimits } from "@xca/apimachinery/serving";
import {
  certificateFiles,
  CheckedCertificate,
  LIMIT_NAMES,
} from "@xca/apimachinery/internal/serving";
import type { RestCalls } from "../../client/calls/rest.ts";
import { debugEndpoint } from "../debug/debug_endpoint.ts";
import type { DebugSource } from "../debug/debug_source.ts";
import { EXPOSITION_TYPE } from "../metrics/exposition.ts";
import { measureEventLoopLag, processMetrics } from "../metrics/process_metrics.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import { AccessCheck } from "./access_check.ts";
import { type BindAddress, isLoopback } from "./bind_address.ts";
import { EndpointServer, type RunnableServer } from "./endpoint_server.ts";
import { type Endpoint, plain, type Routes } from "./routes.ts";
import { selfSigned } from "./self_signed.ts";

/** Options for {@linkcode metricsServer}, which creates the server of `/metrics` and `/debug`. */
export interface MetricsServerOptions {
  /**
   * The address that the metrics server listens on: `:8443`, `127.0.0.1:8443`; `0` turns the server
   * off, and port 0 is a free one.
   */
  readonly bindAddress: string;
  /** The registry of the metrics that the server exposes. */
  readonly registry: MetricsRegistry;
  /**
   * Sets whether the server uses TLS, and serves only users whom the API server allows `get` of the
   * path. Otherwise every client that reaches the port can read the metrics, and the server serves
   * `/debug` on loopback only.
   *
   * @default {true}
   */
  readonly secure?: boolean | undefined;
  /**
   * The client that checks the access, which needs create of tokenreviews and subjectaccessreviews:
   * the set-up of the server fails if the API server denies these permissions. Unused when `secure`
   * is false.
   */
  readonly client: RestCalls;
  /**
   * The certificate files of the metrics server, which the server reads again every ten seconds.
   * Ignored when `secure` is false.
   *
   * @default a self-signed certificate, in memory
   */
  readonly certificate?: CertificateFiles | undefined;
  /**
   * The sources of the sections of `/debug`. With `secure: false`, only a server on a loopback
   * address shows them; another one answers 403.
   *
   * @default {none: there is no such endpoint}
   */
  readonly debug?: readonly DebugSource[] | undefined;
  /** The provider of the metrics about the metrics server's certificate. @default none */
  readonly certificateMetrics?: CertificateMetrics | undefined;
  /**
   * The limits on the size of requests and on their time; each given field replaces its default.
   *
   * @default {32 KiB of headers, 1 KiB of body; ten seconds each for the TLS handshake and the
   * headers, 30 for the request, 60 of silence, 90 between requests; 1000 connections}
   */
  readonly limits?: ServerLimits | undefined;
  /**
   * The file system that the metrics server's certificate is read from.
   *
   * @default {systemHost}
   */
  readonly host?: Pick<Host, "readFile"> | undefined;
  /** The clock of the metrics server. @default {systemClock} */
  readonly clock?: Clock | undefined;
}

/** The names of all options of {@linkcode metricsServer}. */
export const METRICS_SERVER_OPTIONS: OptionNames<MetricsServerOptions> = {
  bindAddress: true,
  registry: true,
  secure: true,
  client: true,
  certificate: { certFile: true, keyFile: true, caFile: true },
  debug: true,
  certificateMetrics: true,
  limits: LIMIT_NAMES,
  host: true,
  clock: true,
};

/**
 * Returns the server of `/metrics`, and with the option `debug` of `/debug`, as a runnable
 * (sigs.k8s.io/controller-runtime/pkg/metrics/server/server.go, NewServer). The server listens from
 * its set-up. The function also registers the CPU time, memory and other metrics of the process,
 * and, while the server runs, measures the lag of the event loop.
 *
 * @throws {TypeError} When an option is unknown, the address cannot be parsed, or two sources of
 * `/debug` have one name.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient } from "@xca/operator/client";
 * import { metricsServer, MetricsRegistry } from "@xca/operator/manager";
 *
 * using client = createClient({ server: "https://example.invalid" });
 * await using server = metricsServer({
 *   bindAddress: "127.0.0.1:0",
 *   secure: false,
 *   registry: new MetricsRegistry(),
 *   client,
 * });
 * await server.setUp(new AbortController().signal);
 * const answer = await fetch(`${server.url}/metrics`);
 * assert.match(await answer.text(), /^process_cpu_seconds_total /m);
 * ```
 */
export function metricsServer(options: MetricsServerOptions): RunnableServer {
  checkOptionNames("Cannot serve metrics", options, METRICS_SERVER_OPTIONS);
  const { clock = systemClock, host = systemHost, registry, secure = true } = options;
  processMetrics(registry);
  const access = secure ? new AccessCheck(options.client, clock) : undefined;
  const debug = options.debug && debugEndpoint(options.debug);
  const metrics: Endpoint = () => plain(200, registry.text(), { "content-type": EXPOSITION_TYPE });
  const routes = (address: BindAddress): Routes => {
    const guard = (endpoint: Endpoint): Endpoint => access?.guard(endpoint) ?? endpoint;
    const isOpen = access !== undefined || isLoopback(address.hostname);
    const shown = debug && (isOpen ? guard(debug) : withheld);
    return { "/metrics": guard(metrics), ...(shown && { "/debug": shown, "/debug/": shown }) };
  };
  return new EndpointServer({
    name: "metrics server",
    bindAddress: options.bindAddress,
    routes,
    certificate: !secure ? undefined : new CheckedCertificate(
      options.certificate ? certificateFiles(options.certificate, { host }) : selfSigned(),
      { server: "metrics", clock, metrics: options.certificateMetrics },
    ),
    check: (signal) => access?.checkOwnRights(signal) ?? Promise.resolve(),
    beside: () => measureEventLoopLag(registry, clock),
    limits: options.limits,
    clock,
  });
}

/**
 * Returns the 403 response to a request for `/debug` on a server without access check that other
 * machines can reach.
 */
function withheld(): Response {
  const text = "/debug shows names of objects: serve it securely, or listen on loopback";
  return plain(403, text);
}
