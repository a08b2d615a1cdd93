// Mirrors `client-go/rest/request.go, Request.newUnstructuredResponseError`.
import { ApiError } from "../../client/errors/api_error.ts";
import { isStatus } from "../../client/errors/status.ts";
import type { AdapterSource } from "../metrics/adapter_requests.ts";
import { adapterAnswer, servedMetrics } from "../metrics/adapter_requests.ts";
import { Pod } from "@xca/apimachinery/meta";
import type { MetricsHandlers } from "../metrics/metrics_handlers.ts";
import type { ReadPod } from "../pods/pod_state.ts";
import type { UsageContext } from "./pod_metrics.ts";

/** A request for custom or external metrics: its path, and its query parameters. */
export interface MetricsRequest {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
}

/**
 * A function that requests custom or external metrics and returns the parsed JSON of the response.
 *
 * The function throws ApiError when the server refuses the request.
 */
export type RequestMetrics = (context: UsageContext, request: MetricsRequest) => Promise<unknown>;

/**
 * Requests custom or external metrics from the API server.
 *
 * @throws {ApiError} When the server refuses.
 */
export const requestMetrics: RequestMetrics = async (
  { client }: UsageContext,
  request: MetricsRequest,
): Promise<unknown> => await client.requestJson(request);

/**
 * Returns a function that requests custom and external metrics from handlers in this process, and
 * from the API server where no handler is given. A handler is called without a network connection,
 * so that runs on a fake clock are reproducible; its error becomes an ApiError of code 500.
 */
export function handledMetrics(metrics: MetricsHandlers): RequestMetrics {
  const groups = servedMetrics(metrics).map(({ group }) => group);
  return async (context, request) => {
    const { path, query = {} } = request;
    if (!groups.includes(path.split("/")[2]!)) return await requestMetrics(context, request);
    const source: AdapterSource = {
      clock: context.clock,
      metrics,
      podsOf: async (namespace) =>
        await context.cache.shared.list(Pod, { namespace }) as readonly ReadPod[],
    };
    const url = `https://metrics.invalid${path}?${new URLSearchParams(query)}`;
    const response = await adapterAnswer(source, new Request(url));
    const body = await response?.json();
    if (response?.ok) return body;
    throw new ApiError({ status: isStatus(body) ? body : { code: 404 }, path });
  };
}

const GENERIC: Readonly<Record<number, string>> = {
  401: "the server has asked for the client to provide credentials",
  404: "the server could not find the requested resource",
  503: "the server is currently unable to handle the request",
  504: "the server was unable to return a response in the time allotted, but may still be " +
    "processing the request",
};

/**
 * Returns the message of a failed metrics request in client-go's wording: the message of the
 * server's `Status`, or a generic message for the HTTP status code if the server sent none. An
 * error of another class keeps its message.
 */
export function failureText(error: unknown, resource: string): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  const generic = GENERIC[error.code];
  return isStatus(error.status) || generic === undefined
    ? error.message
    : `${generic} (get ${resource})`;
}
