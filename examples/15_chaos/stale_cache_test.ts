/**
 * Tests of pods that others change just before the operator harms or restores them.
 *
 * @module
 */
import assert from "node:assert/strict";
import { mergePatch, Pod } from "@xca/operator";
import { isConflict } from "@xca/operator/client";
import { reconcileOnce } from "@xca/operator/controller";
import { clientOf } from "@xca/operator/testing";
import { Chaos, type Fault } from "./chaos.ts";
import { BY_LABEL } from "./injector.ts";
import { operator } from "./operator.ts";
import { NAME, Rig } from "./test_rig.ts";

const SCRIPT = "kubelet.xca.k8s.kb.cx/script";

/** Labels and annotations of a pod to set; `null` removes one. */
interface Marks {
  labels?: Record<string, string | null>;
  annotations?: Record<string, string | null>;
}

async function mark(rig: Rig, pod: string, marks: Marks): Promise<void> {
  await rig.cluster.client.patch(Pod, pod, mergePatch({ metadata: marks } as never));
}

/**
 * Starts a round, whose choice is written to the status, and reconciles it once while the operator is
 * stopped; the pod that is harmed is changed just before. Returns the key of the pod.
 */
async function change(rig: Rig, marks: Marks): Promise<string> {
  const { server, clock } = rig.cluster;
  let changed: string | undefined;
  using client = clientOf(server, {
    clock,
    through: (fetch) => async (request) => {
      const [, name] = /^\/api\/v1\/namespaces\/default\/pods\/([^/]+)/
        .exec(new URL(request.url).pathname) ?? [];
      if (request.method !== "GET" && name && !changed) {
        changed = `default/${name}`;
        await mark(rig, changed, marks);
      }
      return await fetch(request);
    },
  });
  await assert.rejects(
    reconcileOnce(operator.controllers[0]!, NAME, { client, clock }),
    isConflict,
  );
  assert(changed);
  return changed;
}

/** Starts a round whose choice is written to the status, and stops the operator before the harm. */
async function chosen(fault: Fault): Promise<Rig> {
  const rig = await Rig.start({ fault });
  let stopped: Promise<void> | undefined;
  rig.onWrite = (write) => {
    if (write.includes("/status")) stopped ??= rig.process.stop();
  };
  while (!(await rig.chaos()).status?.round) await rig.pass(1);
  await stopped;
  return rig;
}

for (const fault of ["kill", "freeze"] satisfies Fault[]) {
  Deno.test(`example 15: a pod that has just lost the labels of the target is spared (${fault})`, async () => {
    await using rig = await chosen(fault);
    const pod = await change(rig, { labels: { app: "debug" } });
    const { uid } = (await rig.cluster.client.get(Pod, pod)).metadata;
    rig.process.start();
    await rig.pass(5);
    const { metadata } = await rig.cluster.client.get(Pod, pod);
    assert.deepEqual([metadata.uid, metadata.labels?.[BY_LABEL]], [uid, undefined]);
  });
}

Deno.test("example 15: a change just before a pod is frozen is there after it is restored", async () => {
  await using rig = await chosen("freeze");
  const script = JSON.stringify({ "*": { cpu: "7m" } });
  const pod = await change(rig, { annotations: { [SCRIPT]: script } });
  rig.process.start();
  await rig.pass(1);
  assert.deepEqual(await rig.harmed(), [pod.split("/")[1]]);
  await rig.pass(25);
  assert.deepEqual(await rig.harmed(), []);
  const { metadata } = await rig.cluster.client.get(Pod, pod);
  assert.equal(metadata.annotations?.[SCRIPT], script);
});

Deno.test("example 15: a pod that another Chaos has just harmed is not restored", async () => {
  await using rig = await Rig.start({ fault: "freeze", seconds: 3000 });
  await rig.until(5);
  const [name] = await rig.harmed();
  await rig.process.stop();
  await rig.cluster.client.patch(
    Chaos,
    NAME,
    mergePatch({ spec: { suspend: true } }),
  );
  const pod = await change(rig, { labels: { [BY_LABEL]: "other" } });
  assert.equal(pod, `default/${name}`);
  const { metadata } = await rig.cluster.client.get(Pod, pod);
  assert.equal(metadata.labels?.[BY_LABEL], "other");
});
