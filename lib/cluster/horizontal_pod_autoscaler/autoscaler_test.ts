import assert from "node:assert/strict";
import type { V2HorizontalPodAutoscaler } from "@xca/apimachinery/kubernetes-types";
import { Deployment, HorizontalPodAutoscaler } from "@xca/apimachinery/meta";
import { deploymentOf, livingCluster } from "../../../tests/support/in_process/living_cluster.ts";
import type { ContainerScript } from "../kubelet/container_script.ts";
import { milliQuantity } from "./milli_quantity.ts";

function autoscalerOf(
  name: string,
  spec: Partial<V2HorizontalPodAutoscaler["spec"]> = {},
): V2HorizontalPodAutoscaler {
  return {
    metadata: { name, namespace: "default" },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name },
      minReplicas: 1,
      maxReplicas: 10,
      metrics: [{
        type: "Resource",
        resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
      }],
      ...spec,
    },
  };
}

/** Returns a Deployment of one pod that requests 100m of CPU. */
function requesting(name: string) {
  const containers = [{ name: "app", image: "app:1", resources: { requests: { cpu: "100m" } } }];
  const labels = { app: name };
  return deploymentOf(name, {
    replicas: 1,
    template: { metadata: { labels }, spec: { containers } },
  });
}

Deno.test("an autoscaler follows the use of CPU up at once, and down after five minutes", async () => {
  let cpu = "100m";
  const script = (): ContainerScript => ({ cpu });
  await using cluster = await livingCluster({ script });
  const { client } = cluster;
  await client.create(Deployment, requesting("web"));
  await cluster.pass(5);
  await client.create(HorizontalPodAutoscaler, autoscalerOf("web"));
  const size = async () => (await client.get(Deployment, "default/web")).spec.replicas;
  await cluster.pass(40);
  assert.equal(await size(), 8);
  cpu = "50m";
  await cluster.pass(60);
  assert.equal(await size(), 8);
  cpu = "5m";
  await cluster.pass(200);
  assert.equal(await size(), 8);
  await cluster.pass(200);
  assert.equal(await size(), 1);
  const { status } = await client.get(HorizontalPodAutoscaler, "default/web");
  assert.deepEqual(status?.conditions?.map(({ type, status, reason }) => [type, status, reason]), [
    ["AbleToScale", "True", "ReadyForNewScale"],
    ["ScalingActive", "True", "ValidMetricFound"],
    ["ScalingLimited", "False", "DesiredWithinRange"],
    ["ScaledToZero", "False", "NotScaledToZero"],
  ]);
  assert.match(
    (await cluster.notes("SuccessfulRescale")).join("; "),
    /New size: 2; reason: cpu resource utilization \(percentage of request\) above target/,
  );
});

Deno.test("a behaviour limits the rate of an autoscaler", async () => {
  const script = (): ContainerScript => ({ cpu: "1" });
  await using cluster = await livingCluster({ script });
  const { client } = cluster;
  await client.create(Deployment, requesting("web"));
  await cluster.pass(5);
  const policies = [{ type: "Pods", value: 1, periodSeconds: 60 }];
  const behavior = { scaleUp: { policies } };
  await client.create(HorizontalPodAutoscaler, autoscalerOf("web", { behavior }));
  const sizes: (number | undefined)[] = [];
  for (let minute = 0; minute < 3; minute++) {
    await cluster.pass(60);
    sizes.push((await client.get(Deployment, "default/web")).spec.replicas);
  }
  assert.deepEqual(sizes, [3, 4, 5]);
  const { status } = await client.get(HorizontalPodAutoscaler, "default/web");
  const limited = status?.conditions?.find(({ type }) => type === "ScalingLimited");
  assert.equal(limited?.reason, "ScaleUpLimit");
});

Deno.test("an autoscaler says which metric or target is missing", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  await client.create(HorizontalPodAutoscaler, autoscalerOf("gone"));
  await client.create(Deployment, deploymentOf("web", { replicas: 2 }));
  await cluster.pass(5);
  await client.create(HorizontalPodAutoscaler, autoscalerOf("web"));
  await cluster.pass(2);
  const reasons = async (name: string) =>
    (await client.get(HorizontalPodAutoscaler, `default/${name}`)).status?.conditions
      ?.map(({ reason, message }) => `${reason}: ${message}`);
  assert.match((await reasons("gone"))?.[0] ?? "", /^FailedGetScale: .*"gone" not found/);
  assert.match(
    (await reasons("web"))?.[1] ?? "",
    /^FailedGetResourceMetric: .* missing request for cpu in container app of Pod web-/,
  );
});

Deno.test("an autoscaler scales by the metrics of an adapter, which the server serves too", async () => {
  await using cluster = await livingCluster({
    metrics: {
      object: ({ metric, resource }) => metric === "hits" && resource === "pods" ? "12" : undefined,
      external: ({ metric }) => metric === "queue" ? ["1500m", "1"] : [],
    },
  });
  const { client } = cluster;
  await client.create(Deployment, deploymentOf("web", { replicas: 1 }));
  await cluster.pass(5);
  const target = { type: "AverageValue", averageValue: "5" };
  const metrics = [{ type: "Pods", pods: { metric: { name: "hits" }, target } }];
  await client.create(HorizontalPodAutoscaler, autoscalerOf("web", { metrics }));
  await cluster.pass(2);
  assert.equal((await client.get(Deployment, "default/web")).spec.replicas, 3);
  const values = async (path: string): Promise<(string | undefined)[]> => {
    const { items } = await client.requestJson<{ items: { value: string }[] }>({ path });
    return items.map(({ value }) => value);
  };
  const custom = "/apis/custom.metrics.k8s.io/v1beta2/namespaces/default";
  assert.deepEqual(await values(`${custom}/pods/*/hits`), ["12", "12", "12"]);
  assert.deepEqual(
    await values("/apis/external.metrics.k8s.io/v1beta1/namespaces/default/queue"),
    ["1500m", "1"],
  );
  await assert.rejects(
    values(`${custom}/services/web/hits`),
    /the server could not find the metric hits for services web/,
  );
});

Deno.test("two autoscalers of the same pods say so, and the second does not scale", async () => {
  const script = (): ContainerScript => ({ cpu: "100m" });
  await using cluster = await livingCluster({ script });
  const { client } = cluster;
  await client.create(Deployment, requesting("web"));
  await cluster.pass(5);
  await client.create(HorizontalPodAutoscaler, autoscalerOf("web", { maxReplicas: 2 }));
  await cluster.pass(2);
  const second = autoscalerOf("web");
  await client.create(HorizontalPodAutoscaler, {
    ...second,
    metadata: { ...second.metadata, name: "other" },
  });
  await cluster.pass(2);
  const { status } = await client.get(HorizontalPodAutoscaler, "default/other");
  const text = "pods by selector app=web are controlled by more than one HPA " +
    "(e.g. [default/web default/other])";
  assert.deepEqual(status?.conditions?.map(({ reason, message }) => [reason, message])[1], [
    "AmbiguousSelector",
    text,
  ]);
  assert.deepEqual(await cluster.notes("FailedComputeMetricsReplicas"), [text]);
  await client.delete(HorizontalPodAutoscaler, "default/web");
  await cluster.pass(20);
  assert.equal((await client.get(Deployment, "default/web")).spec.replicas, 4);
});

Deno.test("quantities are canonical", () => {
  const shown = [[250, false], [2_000_000, false], [8_388_608_000, true], [1, true], [
    0,
    true,
  ]] as const;
  assert.deepEqual(shown.map(([milli, binary]) => milliQuantity(milli, binary)), [
    "250m",
    "2k",
    "8Mi",
    "1m",
    "0",
  ]);
});
