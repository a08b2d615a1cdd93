/**
 * Tests of the faults in a living cluster in process, on virtual time: the choice of pods, the faults,
 * and the end of each.
 *
 * @module
 */
import assert from "node:assert/strict";
import { Deployment, mergePatch, Pod } from "@xca/operator";
import { findCondition, isConditionTrue, PodDisruptionBudget } from "@xca/operator/meta";
import { Chaos, type Fault } from "./chaos.ts";
import { NAME, Rig } from "./test_rig.ts";

const SCRIPT = "kubelet.xca.k8s.kb.cx/script";

Deno.test("example 15: a round kills as many pods as it may, and records the recovery", async () => {
  await using rig = await Rig.start({ maximum: 3, percentage: 50 });
  const before = (await rig.pods()).map(({ metadata }) => metadata!.uid);
  await rig.until(5);
  const after = (await rig.pods()).map(({ metadata }) => metadata!.uid);
  assert.equal(after.length, 4);
  assert.equal(after.filter((uid) => !before.includes(uid)).length, 2, "half of four pods");
  const { status } = await rig.chaos();
  const [record] = status?.history ?? [];
  assert.deepEqual([record?.outcome, record?.fault, record?.pods.length], ["Recovered", "kill", 2]);
  assert(record!.seconds! <= 5, `recovered after ${record?.seconds} s`);
  assert.equal(status?.round, undefined);
  assert(isConditionTrue(status?.conditions, "Ready"));
  assert.equal((await rig.cluster.notes("PodHarmed")).length, 2);
  assert.equal((await rig.cluster.notes("Chaos")).length, 2, "an event about each pod");
  assert.equal((await rig.cluster.notes("Recovered")).length, 1);
});

Deno.test("example 15: a frozen pod gets no requests until its time is up, then its script is as before", async () => {
  await using rig = await Rig.start({ fault: "freeze" });
  const script = JSON.stringify({ app: { logs: ["hello"] } });
  for (const { metadata } of await rig.pods()) {
    const annotations = { [SCRIPT]: script };
    await rig.cluster.client.patch(
      Pod,
      `default/${metadata!.name}`,
      mergePatch({ metadata: { annotations } }),
    );
  }
  await rig.until(5);
  assert.deepEqual([(await rig.harmed()).length, await rig.ready()], [1, 3]);
  assert.equal((await rig.chaos()).status?.round?.victims.length, 1);
  await rig.until(15);
  assert.equal(await rig.ready(), 3);
  await rig.until(22);
  assert.deepEqual([await rig.harmed(), await rig.ready()], [[], 4]);
  for (const { metadata } of await rig.pods()) {
    assert.deepEqual(metadata?.annotations, { [SCRIPT]: script });
  }
  const [record] = (await rig.chaos()).status?.history ?? [];
  assert.equal(record?.outcome, "Recovered");
  assert(record!.seconds! >= 20);
});

Deno.test("example 15: a slow pod stays ready, and takes long to stop", async () => {
  await using rig = await Rig.start({ fault: "slow", seconds: 50 });
  await rig.until(5);
  const [slow] = await rig.harmed();
  assert.equal(await rig.ready(), 4);
  await rig.cluster.client.delete(Pod, `default/${slow}`);
  await rig.pass(15);
  assert((await rig.pods()).some(({ metadata }) => metadata?.name === slow), "it still stops");
  await rig.pass(8);
  assert(!(await rig.pods()).some(({ metadata }) => metadata?.name === slow));
  await rig.until(55);
  assert.equal((await rig.chaos()).status?.history?.[0]?.outcome, "Recovered");
});

Deno.test("example 15: the same seed and time choose the same pods, another seed others", async () => {
  const choices: string[] = [];
  for (const seed of [1, 1, 2, 3, 4]) {
    await using rig = await Rig.start({ fault: "freeze", seed });
    const names = (await rig.pods()).map(({ metadata }) => metadata!.name!).sort();
    await rig.until(5);
    choices.push((await rig.harmed()).map((name) => names.indexOf(name)).join());
  }
  assert.equal(choices[0], choices[1]);
  assert(new Set(choices).size > 1, choices.join(" "));
});

for (const how of ["suspended", "deleted"]) {
  Deno.test(`example 15: a Chaos that is ${how} restores its pods at once, and harms no more`, async () => {
    await using rig = await Rig.start({ fault: "freeze", seconds: 3000, maximum: 2 });
    await rig.until(5);
    assert.equal(await rig.ready(), 2);
    if (how === "suspended") await rig.set({ suspend: true });
    else await rig.cluster.client.delete(Chaos, NAME);
    await rig.pass(2);
    assert.deepEqual([await rig.harmed(), await rig.ready()], [[], 4]);
    await rig.pass(120);
    assert.equal(await rig.ready(), 4);
    if (how === "deleted") {
      return assert.deepEqual((await rig.cluster.client.list(Chaos)).items, []);
    }
    const { status } = await rig.chaos();
    assert.deepEqual(status?.history?.map(({ outcome }) => outcome), ["Stopped"]);
    await rig.set({ suspend: false, seconds: 10 });
    await rig.until(5);
    assert.equal(await rig.ready(), 2, "a new round has begun");
  });
}

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

Deno.test("example 15: a round that was missed for more than a minute is skipped", async () => {
  await using rig = await Rig.start({ schedule: "@hourly" });
  await rig.until(5);
  await rig.stop();
  rig.cluster.clock.setWallClock(new Date("2026-01-01T01:02:00Z"));
  rig.run();
  await rig.pass(5);
  const [record] = (await rig.chaos()).status?.history ?? [];
  assert.deepEqual([record?.outcome, record?.message], ["Skipped", "missed"]);
  assert.equal(await rig.ready(), 4);
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

Deno.test("example 15: a pod that was replaced under its name is left alone", async () => {
  await using rig = await Rig.start({ fault: "freeze", schedule: "@hourly" });
  const { client } = rig.cluster;
  const [pod] = await rig.pods();
  const at = rig.cluster.clock.now().toISOString().replace(/\.\d+/, "");
  const victims = [{ pod: `default/${pod?.metadata?.name}`, uid: "of another pod", done: false }];
  await rig.stop();
  await client.patchStatus(
    Chaos,
    NAME,
    mergePatch({ status: { round: { at, begun: at, fault: "freeze", ready: 4, victims } } }),
  );
  rig.run();
  await rig.pass(5);
  assert.deepEqual(await rig.harmed(), []);
  assert.equal((await rig.chaos()).status?.history?.[0]?.outcome, "Recovered");
});
