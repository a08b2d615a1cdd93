// Mirrors `controllers/status/remote/remote_available_controller.go, sync`.
import { type Clock, linkedAbort } from "@xca/apimachinery/base";
import type { V1Service } from "@xca/apimachinery/kubernetes-types";
import type { HostPort } from "../machinery/registry_reader.ts";
import { hostPortOf } from "../subresources/connection/dial.ts";
import { exchanged, type ForwardTarget } from "../subresources/connection/kubelet_connection.ts";
import { serviceAddress } from "./service_address.ts";

/** The time limit of a probe of an extension API server, in milliseconds. */
const TIMEOUT_MS = 5000;

/**
 * The request headers with the user and the group in whose name an extension API server is probed.
 */
const PROBER = [
  ["X-Remote-User", "system:kube-aggregator"],
  ["X-Remote-Group", "system:masters"],
] as const;

/**
 * Requests a path of the server behind a Service.
 *
 * @throws {Error} In kube-apiserver's words, if the server does not respond with success within
 *   five seconds, or the Service is headless or lacks the port.
 */
export async function probeService(
  service: V1Service,
  port: number,
  path: string,
  { clock, reach, signal }: {
    readonly clock: Clock;
    readonly reach: (named: HostPort) => HostPort;
    /** The signal that aborts the probe of the extension API server. */
    readonly signal?: AbortSignal;
  },
): Promise<void> {
  const address = serviceAddress(service, port);
  const url = `https://${hostPortOf(address)}${path}`;
  try {
    const status = await statusOf({ ...reach(address), path }, url, clock, signal);
    if (status < 200 || status >= 300) throw new Error(`bad status from ${url}: ${status}`);
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`failing or missing response from ${url}: ${message}`, { cause: error });
  }
}

/** Requests a URL of an extension API server, and returns the HTTP status code of the response. */
async function statusOf(
  target: ForwardTarget,
  url: string,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<number> {
  using limit = linkedAbort({
    signals: [signal],
    timeoutMs: TIMEOUT_MS,
    timeoutReason: () =>
      new Error("context deadline exceeded (Client.Timeout exceeded while awaiting headers)"),
    clock,
  });
  try {
    const request = new Request(url, { signal: limit.signal });
    const headers = [["Host", hostPortOf(target)], ...PROBER] as const;
    const answer = await exchanged(target, request, headers);
    await answer.body?.cancel();
    return answer.status;
  } catch (error) {
    const { message } = (limit.signal.aborted ? limit.signal.reason : error) as Error;
    throw new Error(`Get "${url}": ${message}`, { cause: error });
  }
}
