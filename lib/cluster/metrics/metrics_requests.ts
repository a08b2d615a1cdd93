// Mirrors `metrics/v1beta1/register.go, SchemeGroupVersion`.
import { type LabelSelector, matchesLabels, Node, Pod } from "@xca/apimachinery/meta";
import { formatTime } from "@xca/apimachinery/meta";
import type { Clock } from "@xca/apimachinery/base";
import type { Client } from "../../client/typed/client.ts";
import type { ScriptOf } from "../kubelet/pod_scripts.ts";
import type { ReadPod } from "../pods/pod_state.ts";
import { type PodUsage, podUsage, totalUsage, WINDOW } from "./pod_usage.ts";
import { orRefusal, RefusedRequest, selectorIn } from "./refused_request.ts";

/** The API group of the resource metrics API. */
export const METRICS_GROUP = "metrics.k8s.io";
/** The version of the resource metrics API. */
export const METRICS_VERSION = "v1beta1";

const API_VERSION = `${METRICS_GROUP}/${METRICS_VERSION}`;
const ROOT = `/apis/${API_VERSION}`;

/**
 * The sources of the simulated resource metrics API: the pods and the scripts of their containers.
 */
export interface MetricsSource {
  readonly client: Client;
  readonly clock: Clock;
  /** Returns the function that finds the scripts of a pod's containers by container name. */
  readonly scriptsOf: (pod: ReadPod) => ScriptOf;
}

const RESOURCES = {
  kind: "APIResourceList",
  apiVersion: "v1",
  groupVersion: API_VERSION,
  resources: [
    resource("nodes", "NodeMetrics", false),
    resource("pods", "PodMetrics", true),
  ],
};

function resource(name: string, kind: string, namespaced: boolean) {
  return { name, singularName: "", namespaced, kind, verbs: ["get", "list"] };
}

/**
 * Returns the response of the resource metrics API to a request; `undefined` when the path is not
 * part of the API.
 */
export async function metricsAnswer(
  source: MetricsSource,
  request: Request,
): Promise<Response | undefined> {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === ROOT) return Response.json(RESOURCES);
  if (pathname === `/apis/${METRICS_GROUP}`) return Response.json(apiGroup());
  if (!pathname.startsWith(`${ROOT}/`)) return undefined;
  return await orRefusal(() => usageAnswer(source, pathname, searchParams));
}

async function usageAnswer(
  source: MetricsSource,
  pathname: string,
  query: URLSearchParams,
): Promise<Response> {
  const selector = selectorIn(query, "labelSelector");
  const words = pathname.slice(ROOT.length + 1).split("/").map(decodeURIComponent);
  const [first, namespace, kind, name] = words;
  if (first === "nodes") return await nodesAnswer(source, namespace, selector);
  if (first === "pods" && namespace === undefined) return await podsAnswer(source, {}, selector);
  if (first !== "namespaces" || kind !== "pods") throw notFound("resource", pathname);
  return await podsAnswer(source, { namespace: namespace ?? "", ...(name && { name }) }, selector);
}

async function podsAnswer(
  { client, clock, scriptsOf }: MetricsSource,
  { namespace, name }: { readonly namespace?: string; readonly name?: string },
  selector: LabelSelector,
): Promise<Response> {
  const options = namespace === undefined ? {} : { namespace };
  const now = clock.now();
  const items = (await client.list(Pod, options)).items
    .filter(({ metadata }) =>
      (name === undefined || metadata.name === name) &&
      matchesLabels(selector, metadata.labels ?? {})
    )
    .flatMap((pod) => podUsage(pod as ReadPod, scriptsOf(pod as ReadPod), now) ?? []);
  if (name === undefined) return listOf("PodMetrics", items);
  if (!items[0]) throw notFound("pods", name);
  return objectOf("PodMetrics", items[0]);
}

async function nodesAnswer(
  { client, clock, scriptsOf }: MetricsSource,
  name: string | undefined,
  selector: LabelSelector,
): Promise<Response> {
  const now = clock.now();
  const [nodes, pods] = await Promise.all([client.list(Node), client.list(Pod)]);
  const usages = new Map<string, PodUsage[]>();
  for (const pod of pods.items) {
    const usage = podUsage(pod as ReadPod, scriptsOf(pod as ReadPod), now);
    const node = pod.spec?.nodeName ?? "";
    if (usage) usages.set(node, [...usages.get(node) ?? [], usage]);
  }
  const items = nodes.items
    .filter(({ metadata }) =>
      (name === undefined || metadata.name === name) &&
      matchesLabels(selector, metadata.labels ?? {})
    )
    .map(({ metadata }) => ({
      metadata: {
        name: metadata.name ?? "",
        creationTimestamp: formatTime(now),
        ...(metadata.labels && { labels: metadata.labels }),
      },
      timestamp: formatTime(now),
      window: WINDOW,
      usage: totalUsage(usages.get(metadata.name ?? "") ?? []),
    }));
  if (name === undefined) return listOf("NodeMetrics", items);
  if (!items[0]) throw notFound("nodes", name);
  return objectOf("NodeMetrics", items[0]);
}

function listOf(kind: string, items: readonly unknown[]): Response {
  return Response.json({
    kind: `${kind}List`,
    apiVersion: API_VERSION,
    metadata: {},
    items,
  });
}

function objectOf(kind: string, object: object): Response {
  return Response.json({ kind, apiVersion: API_VERSION, ...object });
}

function notFound(resource: string, name: string): RefusedRequest {
  const message = `${resource}.${METRICS_GROUP} ${JSON.stringify(name)} not found`;
  return new RefusedRequest(404, "NotFound", message);
}

function apiGroup() {
  const version = { groupVersion: API_VERSION, version: METRICS_VERSION };
  return {
    kind: "APIGroup",
    apiVersion: "v1",
    name: METRICS_GROUP,
    versions: [version],
    preferredVersion: version,
  };
}
