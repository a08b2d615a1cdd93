// Mirrors sigs.k8s.io/controller-runtime/pkg/webhook/internal/metrics/metrics.go, InstrumentedHook.
import type { WebhookMetrics } from "../../controller/ports/webhook_metrics.ts";
import {
  WEBHOOK_FAILURES,
  WEBHOOK_IN_FLIGHT,
  WEBHOOK_LATENCY,
  WEBHOOK_REQUESTS,
} from "./catalogue.ts";
import type { MetricsRegistry } from "./registry.ts";

/** Registers the metrics of webhooks in a registry, and returns a provider that records there. */
export function webhookMetrics(registry: MetricsRegistry): WebhookMetrics {
  const requests = registry.counter(WEBHOOK_REQUESTS);
  const inFlight = registry.gauge(WEBHOOK_IN_FLIGHT);
  const latency = registry.histogram(WEBHOOK_LATENCY);
  const failures = {
    admission: registry.counter(WEBHOOK_FAILURES.admission).with({}),
    conversion: registry.counter(WEBHOOK_FAILURES.conversion).with({}),
  };
  const open = new Map<string, number>();
  const count = (webhook: string, change: number): void => {
    const now = (open.get(webhook) ?? 0) + change;
    open.set(webhook, now);
    inFlight.with({ webhook }).set(now);
  };
  return {
    begin: (webhook) => {
      count(webhook, 1);
      return (code, seconds) => {
        count(webhook, -1);
        requests.with({ webhook, code: String(code) }).inc();
        latency.with({ webhook }).observe(seconds);
      };
    },
    failed: (webhook) => failures[webhook].inc(),
  };
}
