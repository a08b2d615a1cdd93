/**
 * Compares the pods of the simulated kubelet with those of kwok, whose stages pretend to be a kubelet
 * too. `deno task control-plane:build --cluster` builds kwok; without it the test is skipped.
 *
 * @module
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type {
  V1ContainerStatus,
  V1Pod,
  V1PodSpec,
} from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { Job, Node, Pod } from "../../../lib/apimachinery/meta/mod.ts";
import { systemClock } from "../../../lib/apimachinery/base/mod.ts";
import { createClient } from "../../../lib/client/mod.ts";
import { startCluster } from "../../../lib/cluster/mod.ts";
import { nodeStatus, pretendNode } from "../../../lib/cluster/kubelet/pretend_node.ts";
import { ControlPlane } from "../../../lib/testing/mod.ts";
import { controlPlaneCacheDir } from "../../../lib/testing/plane/control_plane_assets.ts";
import { GuardedProcess } from "../../../lib/testing/plane/guarded_process.ts";
import { until } from "../../support/until.ts";
import { realTest } from "../suite.ts";

const PROGRAM = join(controlPlaneCacheDir(), "kwok");
const NAMESPACE = "default";

/** The annotation of the nodes of kwok. */
const KWOK_NODE = "kwok.x-k8s.io/node";

const app = { name: "app", image: "app:1" };

/** The pods that both kubelets run, by name. */
const PODS: Readonly<Record<string, V1PodSpec>> = {
  plain: { containers: [app] },
  several: { containers: [app, { name: "helper", image: "helper:1" }] },
  initialized: { initContainers: [{ name: "first", image: "first:1" }], containers: [app] },
  sidecar: {
    initContainers: [{ name: "proxy", image: "proxy:1", restartPolicy: "Always" }],
    containers: [app],
  },
  "host-network": { hostNetwork: true, containers: [app] },
};

/** The pod that a Job owns, which ends. */
const OWNED = "owned";

/** Starts kwok for the nodes that have its annotation. */
async function startKwok(kubeconfig: string): Promise<AsyncDisposable> {
  const folder = await Deno.makeTempDir({ prefix: "xca-kwok-" });
  const config = join(folder, "kwok.yaml");
  await Deno.writeTextFile(config, "");
  const process = GuardedProcess.create({
    program: PROGRAM,
    args: [
      `--kubeconfig=${kubeconfig}`,
      `--config=${config}`,
      "--manage-all-nodes=false",
      `--manage-nodes-with-annotation-selector=${KWOK_NODE}=fake`,
    ],
    logFile: join(folder, "kwok.log"),
    removeOnOrphan: folder,
  });
  await process.start();
  return {
    async [Symbol.asyncDispose]() {
      await process[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/**
 * Returns the parts of a pod's status that both kubelets write, without those in which kwok is no
 * kubelet: it does not write the condition `PodReadyToStartContainers`, and leaves pods that have ended
 * ready.
 */
function facts({ status }: V1Pod): unknown {
  const { phase, conditions = [], containerStatuses = [], initContainerStatuses = [] } = status!;
  return {
    phase,
    conditions: conditions.filter(({ type }) => type !== "PodReadyToStartContainers")
      .filter(({ type }) => phase === "Running" || !/Ready$/.test(type))
      .map(({ type, status }) => `${type}=${status}`).sort(),
    containers: containerStatuses.map(containerFacts),
    initContainers: initContainerStatuses.map(containerFacts),
    hasAddresses: status?.podIP !== undefined && status.hostIP !== undefined,
    isOnHost: status?.podIP === status?.hostIP,
    hasStarted: status?.startTime !== undefined,
  };
}

function containerFacts(status: V1ContainerStatus): unknown {
  const { name, image, ready, restartCount, state = {} } = status;
  const { running, waiting, terminated } = state;
  return {
    name,
    image,
    ready,
    restartCount,
    isRunning: running?.startedAt !== undefined,
    waiting: waiting?.reason,
    terminated: terminated && [terminated.exitCode, terminated.reason],
  };
}

/** Adds a test that needs kwok; it is ignored without. */
const kwokTest = existsSync(PROGRAM) ? realTest : Deno.test.ignore;

kwokTest("pods of the simulated kubelet are those of kwok, where both set a field", async () => {
  await using stack = new AsyncDisposableStack();
  const plane = stack.use(await ControlPlane.start());
  const client = stack.use(createClient(plane.config));
  const node = pretendNode(2);
  node.metadata.annotations = { [KWOK_NODE]: "fake" };
  // With an address, which pods in the network of the host get.
  const status = nodeStatus(node, systemClock.now(), undefined);
  await client.create(Node, { ...node, status });
  stack.use(await startKwok(plane.kubeconfigPath));
  stack.use(await startCluster({ client, controllers: ["kubelet"], nodes: 1 }));
  const job = await client.create(Job, {
    metadata: { name: "work", namespace: NAMESPACE },
    spec: {
      suspend: true,
      template: { spec: { restartPolicy: "Never", containers: [app] } },
    },
  });
  const { name, uid = "" } = job.metadata;
  const ownerReferences = [{
    apiVersion: "batch/v1",
    kind: "Job",
    name: name!,
    uid,
    controller: true,
  }];
  const kubelets = { "node-1": "ours", "node-2": "kwok" };
  for (const [nodeName, suffix] of Object.entries(kubelets)) {
    for (const [name, spec] of Object.entries(PODS)) {
      const metadata = { name: `${name}-${suffix}`, namespace: NAMESPACE };
      await client.create(Pod, { metadata, spec: { ...spec, nodeName } });
    }
    await client.create(Pod, {
      metadata: { name: `${OWNED}-${suffix}`, namespace: NAMESPACE, ownerReferences },
      spec: { nodeName, restartPolicy: "Never", containers: [app] },
    });
  }
  const phaseOf = async (name: string): Promise<string | undefined> =>
    (await client.get(Pod, `${NAMESPACE}/${name}`)).status?.phase;
  for (const suffix of Object.values(kubelets)) {
    for (const name of Object.keys(PODS)) {
      await until(async () => await phaseOf(`${name}-${suffix}`) === "Running");
    }
    await until(async () => await phaseOf(`${OWNED}-${suffix}`) === "Succeeded");
  }
  for (const name of [...Object.keys(PODS), OWNED]) {
    const [ours, kwok] = await Promise.all(
      ["ours", "kwok"].map((suffix) => client.get(Pod, `${NAMESPACE}/${name}-${suffix}`)),
    );
    assert.deepEqual(facts(ours!), facts(kwok!), name);
  }
});
