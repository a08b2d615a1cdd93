/**
 * Tests of the limits of a round: target, maximum number of pods, disruption budgets, protected
 * namespaces.
 *
 * @module
 */
import assert from "node:assert/strict";
import { Deployment, mergePatch, Pod } from "@xca/operator";
import { findCondition, PodDisruptionBudget } from "@xca/operator/meta";
import { Chaos, type Fault } from "./chaos.ts";
import { Rig } from "./test_rig.ts";

const SCRIPT = "kubelet.xca.k8s.kb.cx/script";

Deno.test("example 15: no round begins while the target is degraded, or has not recovered from the last", async () => {
  await using rig = await Rig.start({ fault: "freeze", seconds: 90 });
  const [pod] = await rig.pods();
  const set = (script: string | null): Promise<unknown> =>
    rig.cluster.client.patch(
      Pod,
      `default/${pod?.metadata?.name}`,
      mergePatch({ metadata: { annotations: { [SCRIPT]: script } } }),
    );
  await set('{ "*": { "readyAfterMs": "never" } }');
  await rig.until(5);
  const { status } = await rig.chaos();
  assert.match(status?.history?.[0]?.message ?? "", /1 of 4 pods are not ready/);
  assert.equal(findCondition(status?.conditions, "Degraded")?.reason, "RoundSkipped");
  assert.deepEqual(await rig.harmed(), []);
  await set(null);
  await rig.until(5);
  assert.equal((await rig.harmed()).length, 1);
  await rig.until(5);
  assert.equal((await rig.harmed()).length, 1, "the second minute of 90 s");
  const { history } = (await rig.chaos()).status!;
  assert.match(history?.[0]?.message ?? "", /has not recovered from the round of/);
});

for (const fault of ["kill", "freeze"] satisfies Fault[]) {
  Deno.test(`example 15: a round of ${fault} never goes below a disruption budget`, async () => {
    await using rig = await Rig.start({ fault, maximum: 4 });
    const { client } = rig.cluster;
    await client.create(PodDisruptionBudget, {
      metadata: { name: "web", namespace: "default" },
      spec: { minAvailable: 3, selector: { matchLabels: { app: "web" } } },
    });
    await rig.until(1);
    const { round, history } = (await rig.chaos()).status ?? {};
    const pods = round?.victims.map(({ pod }) => pod) ?? history?.[0]?.pods;
    assert.equal(pods?.length, 1);
    await client.patch(
      PodDisruptionBudget,
      "default/web",
      mergePatch({ spec: { minAvailable: 4 } }),
    );
    await rig.until(59);
    await rig.until(5);
    const [record] = (await rig.chaos()).status?.history ?? [];
    assert.match(record?.message ?? "", /the disruption budgets allow no pod/);
    assert.equal(await rig.ready(), 4);
  });
}

Deno.test("example 15: a disruption budget without a selector limits no round", async () => {
  await using rig = await Rig.start({ fault: "freeze" });
  await rig.cluster.client.create(PodDisruptionBudget, {
    metadata: { name: "idle", namespace: "default" },
    spec: { minAvailable: 3 },
  });
  await rig.until(1);
  assert.equal((await rig.chaos()).status?.round?.victims.length, 1);
});

Deno.test("example 15: only the namespaces that are selected and not excluded are harmed, the system's never", async () => {
  await using rig = await Rig.start({ fault: "freeze", maximum: 50, exceptNamespaces: ["stock"] });
  await rig.deployIn("stock");
  await rig.deployIn("kube-system");
  await rig.deployIn("shop");
  await rig.until(5);
  const victims = (await rig.chaos()).status?.round?.victims.map(({ pod }) => pod.split("/")[0]);
  assert.deepEqual([...new Set(victims)].sort(), ["default", "shop"]);
  assert.equal(victims?.length, 7);
  await rig.set({ suspend: true });
  await rig.set({ suspend: false, namespaces: ["shop", "kube-system"] });
  await rig.until(5);
  const next = (await rig.chaos()).status?.round?.victims.map(({ pod }) => pod.split("/")[0]);
  assert.deepEqual([...new Set(next)], ["shop"]);
});

Deno.test("example 15: a share of less than one pod, or no pod, is no round", async () => {
  await using rig = await Rig.start({ percentage: 20 });
  await rig.until(5);
  assert.match((await rig.chaos()).status?.history?.[0]?.message ?? "", /20 % of 4 pods/);
  await rig.set({ matchLabels: { app: "other" } } as Partial<Chaos["spec"]>);
  await rig.cluster.client.patch(Deployment, "default/web", mergePatch({ spec: { replicas: 0 } }));
  await rig.until(5);
  assert.match((await rig.chaos()).status?.history?.[0]?.message ?? "", /no pod is selected/);
});

for (
  const [field, spec] of Object.entries({
    "a schedule": { schedule: "61 * * * *" },
    "a time zone": { timeZone: "Mars/Olympus" },
    "a label": { matchLabels: { "no label": "web" } },
  })
) {
  Deno.test(`example 15: ${field} that cannot be used is named in the condition`, async () => {
    await using rig = await Rig.start(spec);
    await rig.pass(2);
    const { status } = await rig.chaos();
    assert.equal(findCondition(status?.conditions, "Degraded")?.reason, "InvalidSpec");
  });
}
