import { checkOptionNames, type OptionNames } from "@xca/apimachinery/internal/base";
import { LIMIT_NAMES } from "@xca/apimachinery/internal/serving";
import { type Clock, systemClock } from "@xca/apimachinery/base";
import type { ServerLimits } from "@xca/apimachinery/serving";
import { EndpointServer, type RunnableServer } from "../endpoints/endpoint_server.ts";
import { type HealthCheck, ping } from "./health_check.ts";
import { healthEndpoint } from "./health_endpoint.ts";

/** Options for {@linkcode healthServer}, which creates the server of `/healthz` and `/readyz`. */
export interface HealthServerOptions {
  /**
   * The address that the health server listens on: `:8081`; `0` turns the server off, and port 0 is
   * a free one.
   */
  readonly bindAddress: string;
  /**
   * The checks of `/healthz` by name, for a liveness probe. The checks should not depend on the API
   * server: a restart of this process does not fix that server.
   *
   * @default {ping}
   */
  readonly live?: Readonly<Record<string, HealthCheck>> | undefined;
  /** The checks of `/readyz` by name, for a readiness probe. @default {ping} */
  readonly ready?: Readonly<Record<string, HealthCheck>> | undefined;
  /**
   * The limits on the size and the time of requests to the health server; each given field replaces
   * its default.
   *
   * @default {32 KiB of headers, 1 KiB of body; ten seconds for the headers, 30 for the request, 60
   * of silence, 90 between requests; 1000 connections}
   */
  readonly limits?: ServerLimits | undefined;
  /** The clock of the health server. @default {systemClock} */
  readonly clock?: Clock | undefined;
}

/** The names of all options of {@linkcode healthServer}. */
export const HEALTH_SERVER_OPTIONS: OptionNames<HealthServerOptions> = {
  bindAddress: true,
  live: true,
  ready: true,
  limits: LIMIT_NAMES,
  clock: true,
};

/**
 * Returns the server of `/healthz` and `/readyz` as a runnable: HTTP without TLS, for the probes of
 * the kubelet. `/readyz/<check>` runs one check, `?verbose` shows all, `?exclude=<check>` leaves
 * one out. The response names each failed check and its cause.
 *
 * @throws {TypeError} When an option is unknown, or the address cannot be parsed.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { healthServer } from "@xca/operator/manager";
 *
 * await using server = healthServer({
 *   bindAddress: "127.0.0.1:0",
 *   ready: { database: () => "no connection" },
 * });
 * await server.setUp(new AbortController().signal);
 * const answer = await fetch(`${server.url}/readyz`);
 * assert.equal(answer.status, 500);
 * assert.equal(await answer.text(), "[-]database failed: no connection\nreadyz check failed\n");
 * ```
 */
export function healthServer(options: HealthServerOptions): RunnableServer {
  checkOptionNames("Cannot serve the health", options, HEALTH_SERVER_OPTIONS);
  const { bindAddress, live = { ping }, ready = { ping }, clock = systemClock, limits } = options;
  const healthz = healthEndpoint("/healthz", live, clock);
  const readyz = healthEndpoint("/readyz", ready, clock);
  return new EndpointServer({
    name: "health server",
    bindAddress,
    routes: () => ({
      "/healthz": healthz,
      "/healthz/": healthz,
      "/readyz": readyz,
      "/readyz/": readyz,
    }),
    limits,
    clock,
  });
}
