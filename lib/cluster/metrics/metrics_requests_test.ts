import assert from "node:assert/strict";
import { systemClock } from "@xca/apimachinery/base";
import type { Client } from "../../client/typed/client.ts";
import { metricsOf } from "../horizontal_pod_autoscaler/pod_metrics.ts";
import { adapterAnswer } from "./adapter_requests.ts";
import { metricsAnswer } from "./metrics_requests.ts";

const ORIGIN = "https://metrics.invalid/apis";

/** Returns the response of the simulated metrics APIs in a cluster without objects. */
async function answered(path: string): Promise<Response> {
  const request = new Request(`${ORIGIN}/${path}`);
  const client = { list: () => Promise.resolve({ items: [] }) } as unknown as Client;
  const source = { client, clock: systemClock, scriptsOf: () => () => ({}) };
  const metrics = { object: () => "1", external: () => ["1"] };
  const adapter = { clock: systemClock, metrics, podsOf: () => Promise.resolve([]) };
  return (await metricsAnswer(source, request) ?? await adapterAnswer(adapter, request))!;
}

for (
  const path of [
    "metrics.k8s.io/v1beta1/pods?labelSelector=",
    "metrics.k8s.io/v1beta1/namespaces/default/pods?labelSelector=",
    "metrics.k8s.io/v1beta1/nodes?labelSelector=",
    "custom.metrics.k8s.io/v1beta2/namespaces/default/pods/*/load?labelSelector=",
    "custom.metrics.k8s.io/v1beta2/namespaces/default/pods/*/load?metricLabelSelector=",
    "external.metrics.k8s.io/v1beta1/namespaces/default/length?labelSelector=",
  ]
) {
  Deno.test(`an invalid selector is refused with 400: ${path}`, async () => {
    const refused = await answered(`${path}a%3D%3D%3Db`);
    const { kind, code, reason, message } = await refused.json();
    assert.deepEqual([refused.status, kind, code, reason], [400, "Status", 400, "BadRequest"]);
    const parameter = /(\w+)=$/.exec(path)?.[1];
    assert.match(message, new RegExp(`^Invalid ${parameter}: .*a===b`));
    const accepted = await answered(`${path}a%3Db`);
    assert.equal(accepted.status, 200);
    await accepted.body?.cancel();
  });
}

Deno.test("the window of a metric is a Go duration with any units", () => {
  const windowOf = (window: string): number | undefined => {
    const metadata = { name: "web", creationTimestamp: "" };
    const containers = [{ name: "app", usage: { cpu: "1m", memory: "1" } }];
    const usage = { metadata, timestamp: "2026-01-01T00:00:00Z", window, containers };
    return metricsOf([usage], "cpu", undefined).get("web")?.windowMs;
  };
  assert.deepEqual(
    ["1m30s", "1.5s", "20ms", "1500us", "500µs", "2000000ns", "1s500us", "0s"].map(windowOf),
    [90_000, 1500, 20, 1.5, 0.5, 2, 1000.5, 0],
  );
});
