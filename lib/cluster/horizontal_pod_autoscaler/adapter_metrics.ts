// Mirrors `controller/podautoscaler/metrics/client.go, customMetricsClient` and
// `controller/podautoscaler/metrics/client.go, externalMetricsClient`.
import { milliValue } from "@xca/apimachinery/internal/values";
import { type DeepReadonly, formatLabelSelector, labelSelectorOf } from "@xca/apimachinery/meta";
import type {
  V2CrossVersionObjectReference,
  V2MetricIdentifier,
} from "@xca/apimachinery/kubernetes-types";
import { errorText } from "@xca/apimachinery/base";
import { isNotFound } from "../../client/errors/api_error.ts";
import { CUSTOM_METRICS, EXTERNAL_METRICS } from "../metrics/adapter_requests.ts";
import { failureText, type MetricsRequest, type RequestMetrics } from "./metric_requests.ts";
import type { PodMetric, UsageContext } from "./pod_metrics.ts";
import { groupKindOf, resourcesOfKind } from "./target_kinds.ts";

/** The name and label selector of a custom or external metric that an autoscaler scales by. */
export type Metric = DeepReadonly<V2MetricIdentifier>;

/** The measurement period of a custom metric whose adapter names none, in milliseconds. */
const WINDOW_MS = 60_000;

/** The versions of the custom metrics API that autoscalers use. */
const CUSTOM_VERSIONS = [CUSTOM_METRICS.version, "v1beta1"];

interface MetricValue {
  readonly describedObject: { readonly name: string };
  readonly timestamp: string;
  readonly windowSeconds?: number;
  readonly window?: number;
  readonly value: string;
}

/** The reader of the custom and external metrics in an autoscaler's namespace. */
export class AdapterMetrics {
  readonly #context: UsageContext;
  readonly #namespace: string;
  readonly #request: RequestMetrics;

  constructor(context: UsageContext, namespace: string, request: RequestMetrics) {
    this.#context = context;
    this.#namespace = namespace;
    this.#request = request;
  }

  /**
   * Returns the values of a custom metric of pods by pod name, in thousandths, with the time and
   * the period of each measurement.
   *
   * @throws {Error} When the metric cannot be read or has no values; the message is that of
   *   kube-controller-manager.
   */
  async ofPods(metric: Metric, selector: string): Promise<Map<string, PodMetric>> {
    const query = { ...metricQuery(metric), ...(selector && { labelSelector: selector }) };
    const items = await this.#custom("pods", "*", metric, query);
    if (items.length === 0) throw new Error("no metrics returned from custom metrics API");
    return new Map(items.map((item) => {
      const { describedObject, timestamp, windowSeconds, window, value } = item;
      const seconds = windowSeconds ?? window;
      const windowMs = seconds === undefined ? WINDOW_MS : seconds * 1000;
      const milli = Number(milliValue(value));
      return [describedObject.name, { value: milli, atMs: Date.parse(timestamp), windowMs }];
    }));
  }

  /**
   * Returns the value of a custom metric of an object, in thousandths.
   *
   * @throws {Error} When the metric cannot be read or does not have exactly one value; the message
   *   is that of kube-controller-manager.
   */
  async ofObject(
    metric: Metric,
    reference: DeepReadonly<V2CrossVersionObjectReference>,
  ): Promise<bigint> {
    const { group, kind } = groupKindOf(reference);
    const isNamespace = group === "" && kind === "Namespace";
    const items = isNamespace
      ? await this.#custom("metrics", undefined, metric, metricQuery(metric))
      : await this.#custom(
        () => this.#resourceOf(group, kind),
        reference.name,
        metric,
        metricQuery(metric),
      );
    if (items.length === 1) return milliValue(items[0]!.value);
    throw new Error(
      `${UNABLE_CUSTOM}the custom metrics API server returned ${items.length} results when we ` +
        "asked for exactly one",
    );
  }

  /**
   * Returns the sum of the values of an external metric, in thousandths.
   *
   * @throws {Error} When the metric cannot be read or has no values; the message is that of
   *   kube-controller-manager.
   */
  async external({ name, selector }: Metric): Promise<bigint> {
    const { group, version } = EXTERNAL_METRICS;
    const path = `/apis/${group}/${version}/namespaces/${this.#namespace}/${segment(name)}`;
    const labelSelector = selector ? formatLabelSelector(labelSelectorOf(selector)) : "";
    const request = { path, ...(labelSelector && { query: { labelSelector } }) };
    const items = await this.#items(request, `${name}.${group}`).catch((error) => {
      throw new Error(
        `unable to fetch metrics from external metrics API: ${errorText(error)}`,
      );
    });
    if (items.length === 0) throw new Error("no metrics returned from external metrics API");
    return items.reduce((sum, { value }) => sum + milliValue(value), 0n);
  }

  async #custom(
    resource: string | (() => Promise<string>),
    name: string | undefined,
    metric: Metric,
    query: Readonly<Record<string, string>>,
  ): Promise<readonly MetricValue[]> {
    try {
      const version = await this.#customVersion();
      const plural = typeof resource === "string" ? resource : await resource();
      const words = [plural, ...name === undefined ? [] : [name], metric.name].map(segment);
      const root = `/apis/${CUSTOM_METRICS.group}/${version}/namespaces/${this.#namespace}`;
      const shown = [`${plural}.${CUSTOM_METRICS.group}`, name ?? metric.name].join(" ");
      return await this.#items({ path: [root, ...words].join("/"), query }, shown);
    } catch (error) {
      throw new Error(`${UNABLE_CUSTOM}${errorText(error)}`);
    }
  }

  async #resourceOf(group: string, kind: string): Promise<string> {
    try {
      const [type] = await resourcesOfKind(this.#context.client, { group, kind });
      return [type!.plural, group].filter(Boolean).join(".");
    } catch (error) {
      const shown = [kind, group].filter(Boolean).join(".");
      throw new Error(`unable to map kind ${shown} to resource: ${errorText(error)}`);
    }
  }

  /**
   * Returns the version of the custom metrics API that the server prefers among the supported ones.
   * Throws an error if the server does not serve the API, or serves no supported version.
   */
  async #customVersion(): Promise<string> {
    const path = `/apis/${CUSTOM_METRICS.group}`;
    const found = await this.#request(this.#context, { path }).catch((error) => {
      if (!isNotFound(error)) throw error;
      throw new Error(`no custom metrics API (${CUSTOM_METRICS.group}) registered`);
    }) as {
      readonly preferredVersion?: { readonly version: string };
      readonly versions?: readonly { readonly version: string }[];
    };
    const offered = [found.preferredVersion, ...found.versions ?? []];
    const version = offered.find((each) => each && CUSTOM_VERSIONS.includes(each.version));
    if (version) return version.version;
    throw new Error("no known available metric versions found");
  }

  async #items(request: MetricsRequest, resource: string): Promise<readonly MetricValue[]> {
    try {
      const list = await this.#request(this.#context, request);
      return (list as { readonly items?: readonly MetricValue[] }).items ?? [];
    } catch (error) {
      throw new Error(failureText(error, resource));
    }
  }
}

const UNABLE_CUSTOM = "unable to fetch metrics from custom metrics API: ";

function metricQuery({ selector }: Metric): Readonly<Record<string, string>> {
  const text = selector ? formatLabelSelector(labelSelectorOf(selector)) : "";
  return text === "" ? {} : { metricLabelSelector: text };
}

function segment(text: string): string {
  return text === "*" ? text : encodeURIComponent(text);
}
