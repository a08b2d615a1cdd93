import type { ClientMetrics } from "../../client/calls/client_metrics.ts";
import { REST_CLIENT } from "./catalogue.ts";
import type { MetricsRegistry } from "./registry.ts";
import type { CounterSeries, HistogramSeries } from "./series.ts";

/**
 * The series of a client's metrics for one method and host, kept so that a request needs no lookup
 * by labels.
 */
interface Series {
  readonly duration: HistogramSeries;
  readonly requestSize: HistogramSeries;
  readonly responseSize: HistogramSeries;
  readonly byCode: Map<string, CounterSeries>;
}

/** Registers the metrics of clients in a registry, and returns a provider that records there. */
export function clientMetrics(registry: MetricsRegistry): ClientMetrics {
  const requests = registry.counter(REST_CLIENT.requests);
  const duration = registry.histogram(REST_CLIENT.duration);
  const requestSize = registry.histogram(REST_CLIENT.requestSize);
  const responseSize = registry.histogram(REST_CLIENT.responseSize);
  const rateLimiter = registry.histogram(REST_CLIENT.rateLimiter);
  const retries = registry.counter(REST_CLIENT.retries);
  const kept = new Map<string, Series>();
  const of = (verb: string, host: string): Series => {
    const key = `${verb} ${host}`;
    const found = kept.get(key);
    if (found) return found;
    const labels = { verb, host };
    const series = {
      duration: duration.with(labels),
      requestSize: requestSize.with(labels),
      responseSize: responseSize.with(labels),
      byCode: new Map<string, CounterSeries>(),
    };
    kept.set(key, series);
    return series;
  };
  return {
    sent: ({ method, host, code, seconds, bytes }) => {
      const series = of(method, host);
      let counter = series.byCode.get(code);
      if (!counter) series.byCode.set(code, counter = requests.with({ code, method, host }));
      counter.inc();
      series.duration.observe(seconds);
      series.requestSize.observe(bytes);
    },
    received: (method, host, bytes) => of(method, host).responseSize.observe(bytes),
    waited: (verb, host, seconds) => rateLimiter.with({ verb, host }).observe(seconds),
    retried: (verb, host, code) => retries.with({ code, verb, host }).inc(),
  };
}
