// Mirrors `metrics/custom_metrics/v1beta2/register.go, SchemeGroupVersion` and
// `metrics/external_metrics/v1beta1/register.go, SchemeGroupVersion`.
import type { Clock } from "@xca/apimachinery/base";
import { formatTime, matchesLabels } from "@xca/apimachinery/meta";
import type { ReadPod } from "../pods/pod_state.ts";
import type { MetricsHandlers } from "./metrics_handlers.ts";
import { orRefusal, RefusedRequest, selectorIn } from "./refused_request.ts";

/** The API group and version of a metrics API. */
export interface MetricsApi {
  readonly group: string;
  readonly version: string;
}

/** The group and version of the API of custom metrics, which describe objects of the cluster. */
export const CUSTOM_METRICS: MetricsApi = { group: "custom.metrics.k8s.io", version: "v1beta2" };
/**
 * The group and version of the API of external metrics, which describe no object of the cluster.
 */
export const EXTERNAL_METRICS: MetricsApi = {
  group: "external.metrics.k8s.io",
  version: "v1beta1",
};

/** The functions and pods from which the custom and external metrics APIs respond. */
export interface AdapterSource {
  readonly clock: Clock;
  readonly metrics?: MetricsHandlers | undefined;
  /** Returns the pods of a namespace, which custom metrics can describe. */
  readonly podsOf: (namespace: string) => Promise<readonly ReadPod[]>;
}

/** Returns the groups and versions of the metrics APIs for which a handler is given. */
export function servedMetrics({ object, external }: MetricsHandlers): readonly MetricsApi[] {
  return [...object ? [CUSTOM_METRICS] : [], ...external ? [EXTERNAL_METRICS] : []];
}

/**
 * Returns the response to a request for custom or external metrics; `undefined` when no handler
 * serves the API of the request, or the path names another version of the API.
 */
export async function adapterAnswer(
  source: AdapterSource,
  request: Request,
): Promise<Response | undefined> {
  const { pathname, searchParams } = new URL(request.url);
  const [, root, group, version, ...words] = pathname.split("/").map(decodeURIComponent);
  const api = servedMetrics(source.metrics ?? {}).find((each) => each.group === group);
  if (root !== "apis" || !api) return undefined;
  const groupVersion = `${api.group}/${api.version}`;
  if (version === undefined) return Response.json(apiGroup(api));
  if (version !== api.version) return undefined;
  if (words.length === 0) {
    return Response.json({
      kind: "APIResourceList",
      apiVersion: "v1",
      groupVersion,
      resources: [],
    });
  }
  return await orRefusal(async () => {
    const [namespaces, namespace = "", ...rest] = words;
    if (namespaces !== "namespaces") {
      throw new RefusedRequest(404, "NotFound", "404 page not found");
    }
    return api === CUSTOM_METRICS
      ? await objectsAnswer(source, namespace, rest, searchParams)
      : await externalAnswer(source, namespace, rest, searchParams);
  });
}

async function objectsAnswer(
  { clock, metrics, podsOf }: AdapterSource,
  namespace: string,
  words: readonly string[],
  query: URLSearchParams,
): Promise<Response> {
  const [resource, name, metric] = words.length === 2
    ? ["namespaces", namespace, words[1]!] as const
    : [words[0]!, words[1]!, words[2]!] as const;
  const selector = query.get("metricLabelSelector") ?? "";
  selectorIn(query, "metricLabelSelector");
  const selected = selectorIn(query, "labelSelector");
  const names = name !== "*"
    ? [name]
    : resource === "pods"
    ? (await podsOf(namespace)).filter(({ metadata }) =>
      matchesLabels(selected, metadata.labels ?? {})
    ).map(({ metadata }) => metadata.name ?? "")
    : [];
  const timestamp = formatTime(clock.now());
  const items = [];
  for (const each of names) {
    const value = await metrics?.object?.({ metric, selector, namespace, resource, name: each });
    if (value === undefined) continue;
    const describedObject = { kind: KINDS[resource] ?? "", namespace, name: each };
    items.push({ describedObject, metric: { name: metric }, timestamp, windowSeconds: 1, value });
  }
  if (items.length === 0 && name !== "*") {
    const message = `the server could not find the metric ${metric} for ${resource} ${name}`;
    throw new RefusedRequest(404, "NotFound", message);
  }
  return listOf("MetricValueList", CUSTOM_METRICS, items);
}

/**
 * The kinds of objects that custom metrics usually describe, by the names of their resources; an
 * object of another resource gets an empty kind in the response.
 */
const KINDS: Readonly<Record<string, string>> = {
  "ingresses.networking.k8s.io": "Ingress",
  namespaces: "Namespace",
  pods: "Pod",
  services: "Service",
};

async function externalAnswer(
  { clock, metrics }: AdapterSource,
  namespace: string,
  [metric = ""]: readonly string[],
  query: URLSearchParams,
): Promise<Response> {
  const selector = query.get("labelSelector") ?? "";
  selectorIn(query, "labelSelector");
  const timestamp = formatTime(clock.now());
  const values = await metrics?.external?.({ metric, selector, namespace }) ?? [];
  const items = values.map((value) => ({
    metricName: metric,
    metricLabels: {},
    timestamp,
    window: 1,
    value,
  }));
  return listOf("ExternalMetricValueList", EXTERNAL_METRICS, items);
}

function listOf(
  kind: string,
  { group, version }: MetricsApi,
  items: readonly unknown[],
): Response {
  return Response.json({ kind, apiVersion: `${group}/${version}`, metadata: {}, items });
}

function apiGroup({ group, version }: MetricsApi) {
  const preferredVersion = { groupVersion: `${group}/${version}`, version };
  return {
    kind: "APIGroup",
    apiVersion: "v1",
    name: group,
    versions: [preferredVersion],
    preferredVersion,
  };
}
