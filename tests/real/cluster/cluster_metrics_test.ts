/**
 * The use of CPU and memory of simulated pods by kubectl, through the embedded API server and through
 * kube-apiserver.
 */
import assert from "node:assert/strict";
import { createClient } from "../../../lib/client/mod.ts";
import { startCluster } from "../../../lib/cluster/mod.ts";
import { delay } from "../../../lib/apimachinery/base/mod.ts";
import { Deployment, Namespace } from "../../../lib/apimachinery/meta/mod.ts";
import { kubectlOutcome } from "../../support/command_line/kubectl_process.ts";
import { until } from "../../support/until.ts";
import { kubectl } from "../kubectl.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite({ kubectl: true });

suite.test("kubectl top shows the use of simulated pods, and kubectl autoscale scales by it", async (plane) => {
  using client = createClient(plane.config);
  const script = () => ({ cpu: "200m", memory: "64Mi" });
  await using _cluster = await startCluster({ client, script });
  await client.create(Namespace, { metadata: { name: "busy" } });
  const labels = { app: "web" };
  const containers = [{ name: "app", image: "app:1", resources: { requests: { cpu: "100m" } } }];
  await client.create(Deployment, {
    metadata: { name: "web", namespace: "busy" },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  });
  await until(async () => {
    const { stdout } = await kubectlOutcome(plane, ["top", "pod", "-n", "busy", "--no-headers"]);
    return /^web-\S+ +200m +64Mi/.test(stdout);
  }, "metrics of the pod");
  assert.match(
    await kubectl(plane, ["top", "pod", "-n", "busy", "--containers"]),
    / app +200m +64Mi/,
  );
  assert.match(await kubectl(plane, ["top", "node"]), /^node-\d +200m +0% +64Mi +0%/m);
  // A first use of CPU that is younger than a second after the pod got ready does not count.
  await delay(2000);
  const scale = ["autoscale", "deploy/web", "-n", "busy", "--cpu-percent=50", "--max=3"];
  await kubectl(plane, scale);
  await until(async () => {
    const { spec } = await client.get(Deployment, "busy/web");
    return spec.replicas === 3;
  }, "three replicas");
});
