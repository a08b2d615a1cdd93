import type { CertificateMetrics } from "@xca/apimachinery/serving";
import type { ClientMetrics } from "../../client/calls/client_metrics.ts";
import type { ControllerMetrics } from "../../controller/ports/controller_metrics.ts";
import type { WebhookMetrics } from "../../controller/ports/webhook_metrics.ts";
import type { MetricsProvider } from "@xca/apimachinery/workqueue";
import type { ElectionMetrics } from "../leader_election/leader_elector_options.ts";
import { CERTIFICATE, ELECTION } from "./catalogue.ts";
import { clientMetrics } from "./client_binding.ts";
import { controllerMetrics } from "./controller_binding.ts";
import { queueMetrics } from "./queue_binding.ts";
import type { MetricsRegistry } from "./registry.ts";
import { webhookMetrics } from "./webhook_binding.ts";

/** The metrics providers for the components of an operator. */
export interface OperatorMetrics {
  /** The metrics provider for controllers: the option `metrics` of an operator. */
  readonly controllers: ControllerMetrics;
  /** The metrics provider for work queues: the option `queueMetrics` of an operator. */
  readonly queues: MetricsProvider;
  /** The metrics provider for requests: the option `metrics` of a client. */
  readonly client: ClientMetrics;
  /** The metrics provider for leader election: the option `metrics` of the election. */
  readonly election: ElectionMetrics;
  /**
   * The metrics provider for the certificates of servers: the option `certificateMetrics` of a
   * metrics or webhook server.
   */
  readonly certificates: CertificateMetrics;
  /** The metrics provider for webhooks: the option `metrics` of a webhook server. */
  readonly webhooks: WebhookMetrics;
}

/**
 * Registers the metrics of controllers, work queues, clients, elections, certificates and webhooks,
 * and returns their providers. The metrics have the names of controller-runtime and client-go;
 * further ones begin with `xca_`.
 *
 * @throws {TypeError} When another metric of the registry has one of their names.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap, controllerFor, defineOperator, runOperator } from "@xca/operator";
 * import { MetricsRegistry, operatorMetrics } from "@xca/operator/manager";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 *
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * const registry = new MetricsRegistry();
 * const { controllers: metrics, queues: queueMetrics } = operatorMetrics(registry);
 * const operator = defineOperator({
 *   name: "namer",
 *   controllers: [controllerFor(ConfigMap).reconcile(() => {})],
 * });
 * await using running = runOperator(operator, { client, metrics, queueMetrics });
 * await running.settled();
 * assert.match(registry.text(), /^controller_runtime_max_concurrent_reconciles\{/m);
 * ```
 */
export function operatorMetrics(registry: MetricsRegistry): OperatorMetrics {
  const leading = registry.gauge(ELECTION.leading);
  const slowPath = registry.counter(ELECTION.slowPath);
  const reads = registry.counter(CERTIFICATE.reads).with({});
  const errors = registry.counter(CERTIFICATE.errors).with({});
  const rejected = registry.counter(CERTIFICATE.rejected);
  const expires = registry.gauge(CERTIFICATE.expires);
  return {
    controllers: controllerMetrics(registry),
    queues: queueMetrics(registry),
    client: clientMetrics(registry),
    election: {
      leading: (lease, leads) => leading.with({ name: nameOf(lease) }).set(leads ? 1 : 0),
      slowPath: (lease) => slowPath.with({ name: nameOf(lease) }).inc(),
    },
    certificates: {
      read: () => reads.inc(),
      failed: () => errors.inc(),
      rejected: (server) => rejected.with({ server }).inc(),
      expires: (server, at) => expires.with({ server }).set(at.getTime() / 1000),
    },
    webhooks: webhookMetrics(registry),
  };
}

/**
 * Returns the name of a lease without its namespace, which is the label value that
 * controller-runtime uses.
 */
function nameOf(lease: string): string {
  return lease.slice(lease.lastIndexOf("/") + 1);
}
