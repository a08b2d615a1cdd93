import assert from "node:assert/strict";
import { Deployment, Lease, Node, Pod } from "@xca/apimachinery/meta";
import { clientOf } from "../../testing/mod.ts";
import { startCluster } from "../cluster.ts";
import { mergePatch } from "../../client/typed/patch.ts";
import {
  deploymentOf,
  livingCluster,
  podOf,
} from "../../../tests/support/in_process/living_cluster.ts";

Deno.test("nodes renew their Leases and stay ready", async () => {
  await using cluster = await livingCluster();
  await cluster.pass(120);
  const nodes = (await cluster.client.list(Node)).items;
  assert.equal(nodes.length, 3);
  for (const { metadata, status, spec } of nodes) {
    const ready = status?.conditions?.find(({ type }) => type === "Ready");
    assert.equal(ready?.status, "True");
    assert.equal(spec?.taints, undefined);
    const lease = await cluster.client.get(Lease, `kube-node-lease/${metadata.name}`);
    const ageMs = cluster.clock.now().getTime() - Date.parse(lease.spec?.renewTime ?? "");
    assert(ageMs <= 10_000, `the Lease of ${metadata.name} is ${ageMs} ms old`);
  }
});

Deno.test("a node whose kubelet is silent is tainted, and its pods are evicted after five minutes", async () => {
  await using cluster = await livingCluster({ nodes: 2 });
  const { client, clock } = cluster;
  // A node that a kubelet of another cluster runs: its Lease is not renewed here.
  await client.patch(Node, "node-2", mergePatch({ spec: { unschedulable: true } }));
  await cluster.pass(1);
  await client.create(Deployment, deploymentOf("web", { replicas: 2 }));
  await cluster.pass(3);
  const annotations = { "kubelet.xca.k8s.kb.cx/pretend": null };
  await client.patch(Node, "node-1", mergePatch({ metadata: { annotations } } as never));
  // The last renewal of the Lease may be ten seconds old.
  await cluster.pass(38);
  const keys = async (): Promise<(string | undefined)[]> =>
    ((await client.get(Node, "node-1")).spec?.taints ?? []).map(({ key, effect }) =>
      `${key}:${effect}`
    );
  assert.deepEqual(await keys(), []);
  await cluster.pass(20);
  assert.deepEqual((await keys()).sort(), [
    "node.kubernetes.io/unreachable:NoExecute",
    "node.kubernetes.io/unreachable:NoSchedule",
  ]);
  assert.equal((await client.get(Deployment, "default/web")).status?.readyReplicas, undefined);
  await client.patch(Node, "node-2", mergePatch({ spec: { unschedulable: false } }));
  await cluster.pass(270);
  const before = (await cluster.pods()).filter(({ spec }) => spec?.nodeName === "node-2");
  assert.equal(before.length, 0, `at ${clock.now().toISOString()}`);
  await cluster.pass(40);
  const after = (await cluster.pods()).filter(({ metadata }) => !metadata.deletionTimestamp);
  assert.deepEqual(after.map(({ spec }) => spec?.nodeName), ["node-2", "node-2"]);
  assert.equal((await client.get(Deployment, "default/web")).status?.availableReplicas, 2);
});

Deno.test("a second start of the controllers keeps nodes, pods and their addresses", async () => {
  await using cluster = await livingCluster();
  const { client, clock, server } = cluster;
  await client.create(Pod, podOf("first"));
  await cluster.pass(2);
  using other = clientOf(server, { clock });
  const again = await startCluster({ client: other, clock, controllers: ["kubelet"] });
  await cluster.pass(2);
  await client.create(Pod, podOf("second"));
  await cluster.pass(2);
  const ips = (await cluster.pods()).map(({ status }) => status?.podIP);
  assert.equal(new Set(ips).size, 2);
  const stopped = again.stop();
  await cluster.pass(6);
  await stopped;
});

Deno.test("an unknown controller and a wrong number of nodes are refused by name", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  await assert.rejects(
    startCluster({ client, controllers: ["*", "-deploymnt"] }),
    /^RangeError: Cannot start controller "deploymnt": known are certificatesigningrequest-approving-controller, /,
  );
  await assert.rejects(
    startCluster({ client, controllers: ["-kubelet"] }),
    /^RangeError: Cannot start a cluster without controllers: \["-kubelet"\] selects none, "\*" all/,
  );
  await assert.rejects(startCluster({ client, nodes: 1.5 }), /Cannot start 1\.5 nodes/);
});
