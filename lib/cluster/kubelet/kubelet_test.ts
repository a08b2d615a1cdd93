import assert from "node:assert/strict";
import type { V1Pod } from "@xca/apimachinery/kubernetes-types";
import { Job, Node, Pod } from "@xca/apimachinery/meta";
import { restClient } from "../../client/rest/rest_builder.ts";
import { mergePatch } from "../../client/typed/patch.ts";
import {
  type LivingCluster,
  livingCluster,
  podOf,
} from "../../../tests/support/in_process/living_cluster.ts";
import type { ContainerScript } from "./container_script.ts";
import { SCRIPT_ANNOTATION } from "./pod_scripts.ts";

function scripted(
  name: string,
  scripts: Record<string, ContainerScript>,
  spec: Partial<V1Pod["spec"]> = {},
): V1Pod {
  const pod = podOf(name, spec);
  pod.metadata.annotations = { [SCRIPT_ANNOTATION]: JSON.stringify(scripts) };
  return pod;
}

/** Returns the phase, the readiness and the state of a pod's first container, as one text. */
async function shown({ client }: LivingCluster, name: string): Promise<string> {
  const { status } = await client.get(Pod, `default/${name}`);
  const [container] = status?.containerStatuses ?? [];
  const { waiting, running, terminated } = container?.state ?? {};
  const state = running ? "running" : waiting?.reason ?? terminated?.reason;
  return `${status?.phase} ${state} ready=${container?.ready} restarts=${container?.restartCount}`;
}

Deno.test("a pod goes through its init containers, runs, is ready, and ends", async () => {
  await using cluster = await livingCluster();
  const pod = scripted(
    "job",
    { init: { runMs: 3000 }, app: { readyAfterMs: 2000, runMs: 6000 } },
    { restartPolicy: "Never", initContainers: [{ name: "init", image: "init:1" }] },
  );
  await cluster.client.create(Pod, pod);
  const seen: string[] = [];
  for (let second = 0; second < 14; second++) {
    const now = await shown(cluster, "job");
    if (seen.at(-1) !== now) seen.push(now);
    await cluster.pass(1);
  }
  assert.deepEqual(seen.slice(1), [
    "Pending PodInitializing ready=false restarts=0",
    "Running running ready=false restarts=0",
    "Running running ready=true restarts=0",
    "Succeeded Completed ready=false restarts=0",
  ]);
  const { status } = await cluster.client.get(Pod, "default/job");
  const reasons = status?.conditions?.map(({ type, status, reason }) =>
    `${type}=${status} ${reason}`
  );
  assert.deepEqual(reasons?.sort(), [
    "ContainersReady=False PodCompleted",
    "Initialized=True PodCompleted",
    "PodReadyToStartContainers=False undefined",
    "PodScheduled=True undefined",
    "Ready=False PodCompleted",
  ]);
});

Deno.test("a container that crashes is restarted with growing pauses", async () => {
  await using cluster = await livingCluster();
  await cluster.client.create(Pod, scripted("crash", { app: { runMs: 0, exitCode: 3 } }));
  const restarts: number[] = [];
  for (let second = 0; second < 75; second++) {
    await cluster.pass(1);
    const { status } = await cluster.client.get(Pod, "default/crash");
    restarts.push(status?.containerStatuses?.[0]?.restartCount ?? 0);
  }
  assert.equal(await shown(cluster, "crash"), "Running CrashLoopBackOff ready=false restarts=4");
  const { status } = await cluster.client.get(Pod, "default/crash");
  const [container] = status?.containerStatuses ?? [];
  assert.equal(container?.lastState?.terminated?.exitCode, 3);
  assert.match(container?.state?.waiting?.message ?? "", /^back-off 1m20s restarting failed/);
  assert.deepEqual(
    [restarts.indexOf(2), restarts.indexOf(3), restarts.indexOf(4)].map((at) => at > 0),
    [
      true,
      true,
      true,
    ],
  );
});

Deno.test("an image that is missing, a container out of memory, and one that is never ready", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  await client.create(Pod, scripted("missing", { app: { image: "missing" } }));
  const once = { restartPolicy: "Never" };
  await client.create(Pod, scripted("memory", { app: { runMs: 1000, outOfMemory: true } }, once));
  await client.create(Pod, scripted("never", { "*": { readyAfterMs: "never" } }));
  await cluster.pass(5);
  assert.equal(await shown(cluster, "missing"), "Pending ImagePullBackOff ready=false restarts=0");
  assert.equal(await shown(cluster, "memory"), "Failed OOMKilled ready=false restarts=0");
  assert.equal(await shown(cluster, "never"), "Running running ready=false restarts=0");
  assert.deepEqual((await cluster.notes("Failed")).sort(), [
    "Error: ErrImagePull",
    'Failed to pull image "app:1": failed to pull image "app:1": not found',
  ]);
});

Deno.test("a pod that is deleted ends after its container has stopped, at most the grace period later", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  await client.create(Pod, scripted("slow", { app: { stopMs: 10_000 } }));
  await client.create(Pod, scripted("stuck", { app: { stopMs: 1e9 } }));
  await cluster.pass(2);
  await client.delete(Pod, "default/slow");
  await client.delete(Pod, "default/stuck", { gracePeriodSeconds: 20 });
  const names = async (): Promise<string[]> =>
    (await cluster.pods()).map(({ metadata }) => metadata.name ?? "");
  await cluster.pass(8);
  assert.deepEqual(await names(), ["slow", "stuck"]);
  await cluster.pass(4);
  assert.deepEqual(await names(), ["stuck"]);
  await cluster.pass(10);
  assert.deepEqual(await names(), []);
});

Deno.test("the kubelet of a node that was away sets its pods right", async () => {
  await using cluster = await livingCluster({ nodes: 1 });
  const { client } = cluster;
  const annotate = (value: string | null) =>
    client.patch(
      Node,
      "node-1",
      mergePatch(
        { metadata: { annotations: { "kubelet.xca.k8s.kb.cx/pretend": value } } } as never,
      ),
    );
  await client.create(Pod, podOf("stays"));
  await client.create(Pod, podOf("goes"));
  await cluster.pass(2);
  await annotate(null);
  await cluster.pass(65); // the node counts as silent
  await client.delete(Pod, "default/goes");
  await cluster.pass(2);
  const ready = ({ status }: V1Pod): string | undefined =>
    status?.conditions?.find(({ type }) => type === "Ready")?.status;
  assert.deepEqual((await cluster.pods()).map(ready), ["False", "False"]);
  await annotate("true");
  await cluster.pass(2);
  const pods = await cluster.pods();
  assert.deepEqual(pods.map((pod) => [pod.metadata.name, ready(pod)]), [["stays", "True"]]);
});

Deno.test("a wrong script is named, and its pod waits", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  const pod = podOf("wrong");
  pod.metadata.annotations = { [SCRIPT_ANNOTATION]: '{"app":{"runMS":5}}' };
  await client.create(Pod, pod);
  await cluster.pass(2);
  assert.equal((await client.get(Pod, "default/wrong")).status?.phase, "Pending");
  assert.match(
    (await cluster.notes("InvalidScript"))[0] ?? "",
    /app\.runMS is unknown; known are pullMs, image, readyAfterMs/,
  );
});

/** The annotations and functions that are no valid scripts of a pod, with a part of the event. */
const INVALID: readonly (readonly [scripts: string | ScriptFunction, note: string])[] = [
  ["not JSON", "it is not JSON"],
  ["null", "it must be an object"],
  ['{"app":{"runMs":"5"}}', 'app.runMs is "5"'],
  ['{"app":null}', "app must be an object"],
  ['{"ap":{}}', "the pod has no container ap; known are app, *"],
  ['{"app":{"exitCode":1}}', "app.exitCode needs app.runMs"],
  ['{"*":{"outOfMemory":true}}', "app.outOfMemory needs app.runMs"],
  ['{"app":{"cpu":[{"afterMs":0,"value":"1","every":1}]}}', "app.cpu is"],
  [() => ({ runMs: NaN }), "app.runMs is NaN"],
  [() => Promise.resolve({}) as never, "app must be an object"],
  [() => {
    throw new Error("no script today");
  }, "no script today"],
];
type ScriptFunction = () => ContainerScript;

Deno.test("a pod with an invalid script waits with an event, and can be deleted", async (t) => {
  for (const [scripts, note] of INVALID) {
    await t.step(note, async () => {
      const script = typeof scripts === "string" ? undefined : scripts;
      await using cluster = await livingCluster(script && { script });
      const { client } = cluster;
      const pod = podOf("invalid");
      if (typeof scripts === "string") pod.metadata.annotations = { [SCRIPT_ANNOTATION]: scripts };
      await client.create(Pod, pod);
      await cluster.pass(2);
      assert.equal((await client.get(Pod, "default/invalid")).status?.phase, "Pending");
      const [event = ""] = await cluster.notes("InvalidScript");
      assert(event.includes(note), event);
      await client.delete(Pod, "default/invalid");
      await cluster.pass(1);
      assert.deepEqual(await cluster.pods(), []);
    });
  }
});

Deno.test("a script without runMs leaves the ends of init containers and Jobs as they are", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  const initContainers = [{ name: "init", image: "init:1" }];
  await client.create(Pod, scripted("app", { "*": { logs: ["hello"] } }, { initContainers }));
  const { metadata, spec = podOf("job").spec! } = scripted("job", { "*": { exitCode: 3 } }, {
    restartPolicy: "Never",
  });
  const { annotations } = metadata;
  await client.create(Job, {
    metadata: { name: "job", namespace: "default" },
    spec: { backoffLimit: 0, template: { metadata: { annotations: annotations ?? {} }, spec } },
  });
  await cluster.pass(5);
  assert.equal(await shown(cluster, "app"), "Running running ready=true restarts=0");
  const { status } = await client.get(Job, "default/job");
  assert.equal(status?.failed, 1);
});

Deno.test("an ephemeral container runs until its pod ends, and is never ready", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  await client.create(Pod, podOf("app"));
  await cluster.pass(1);
  const pod = await client.get(Pod, "default/app");
  const ephemeralContainers = [{ name: "debugger", image: "busybox:1" }];
  await restClient(client).groupVersion("v1").put().namespace("default").resource("pods").name(
    "app",
  )
    .subresource("ephemeralcontainers")
    .body({ ...pod, spec: { ...pod.spec, ephemeralContainers } }).do();
  await cluster.pass(1);
  const { status } = await client.get(Pod, "default/app");
  const [debug] = status?.ephemeralContainerStatuses ?? [];
  assert.deepEqual([debug?.name, debug?.ready, Object.keys(debug?.state ?? {})], [
    "debugger",
    false,
    ["running"],
  ]);
  assert.equal(await shown(cluster, "app"), "Running running ready=true restarts=0");
});

Deno.test("a pod that is active longer than its deadline fails", async () => {
  await using cluster = await livingCluster();
  const { client } = cluster;
  await client.create(Pod, podOf("late", { activeDeadlineSeconds: 10 }));
  await client.create(
    Pod,
    scripted("done", { app: { runMs: 5000 } }, {
      activeDeadlineSeconds: 10,
      restartPolicy: "Never",
    }),
  );
  await cluster.pass(8);
  assert.equal(await shown(cluster, "late"), "Running running ready=true restarts=0");
  await cluster.pass(4);
  assert.equal(await shown(cluster, "late"), "Failed Error ready=false restarts=0");
  assert.equal(await shown(cluster, "done"), "Succeeded Completed ready=false restarts=0");
  const { status } = await client.get(Pod, "default/late");
  assert.equal(status?.reason, "DeadlineExceeded");
  assert.deepEqual(await cluster.notes("DeadlineExceeded"), [status?.message]);
});
