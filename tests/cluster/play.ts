/**
 * Plays scenarios on a virtual clock in this process, or under kube-controller-manager.
 *
 * @module
 */
import { join } from "node:path";
import { seededRandom } from "../../lib/apimachinery/base/mod.ts";
import { FakeClock } from "../../lib/apimachinery/base/time/fake_clock.ts";
import { Deployment, Pod, type ResourceType } from "../../lib/apimachinery/meta/mod.ts";
import { type Client, createClient } from "../../lib/client/mod.ts";
import { CLUSTER_CONTROLLERS, startCluster } from "../../lib/cluster/mod.ts";
import { clientOf, ControlPlane } from "../../lib/testing/mod.ts";
import { findFreePort } from "../../lib/testing/free_port.ts";
import { controlPlaneCacheDir } from "../../lib/testing/plane/control_plane_assets.ts";
import { GuardedProcess } from "../../lib/testing/plane/guarded_process.ts";
import { until } from "../support/until.ts";
import { ACCOUNT_FLAGS, EMBEDDED_KEYS, startWithAccounts } from "./account_keys.ts";
import { compactState } from "./compact_state.ts";
import { deployment } from "./scenarios/parts.ts";
import type { Sequences } from "./sequences.ts";
import { type Visited, VisitedStates } from "./visited.ts";
import { type Pass, type Scenario, type ScenarioArea, Stage } from "./world.ts";

/** The outcome of one run of a scenario. */
export interface Played {
  /** The settled state, without the fields that the API server sets. */
  readonly state: Readonly<Record<string, unknown>>;
  /** The states that a watch has observed during the run, by kind. */
  readonly visited: Visited;
  /** The sequences of observed states of each object, by kind. */
  readonly sequences: Sequences;
  /** The sources of the events, as `Kind Reason: component`, sorted. */
  readonly sources: readonly string[];
}

/** A cluster in which scenarios are played. */
export interface Theatre extends AsyncDisposable {
  /** Plays a scenario in a new namespace, and deletes its objects. */
  play(scenario: Scenario): Promise<Played>;
}

/** The controllers of kube-controller-manager that scenarios compare or depend on. */
export const UPSTREAM_CONTROLLERS: readonly string[] = [
  "certificatesigningrequest-approving-controller",
  "certificatesigningrequest-cleaner-controller",
  "certificatesigningrequest-signing-controller",
  "cronjob-controller",
  "daemonset-controller",
  "deployment-controller",
  "disruption-controller",
  "endpoints-controller",
  "endpointslice-controller",
  "endpointslice-mirroring-controller",
  "ephemeral-volume-controller",
  "garbage-collector-controller",
  "horizontal-pod-autoscaler-controller",
  "job-controller",
  "namespace-controller",
  "persistentvolume-binder-controller",
  "persistentvolume-protection-controller",
  "persistentvolumeclaim-protection-controller",
  "pod-garbage-collector-controller",
  "replicaset-controller",
  "replicationcontroller-controller",
  "resourcequota-controller",
  "root-ca-certificate-publisher-controller",
  "serviceaccount-controller",
  "serviceaccount-token-controller",
  "statefulset-controller",
  "ttl-after-finished-controller",
];

/** The number of nodes of a cluster for scenarios. */
const NODES = 3;

/** The requirements of a scenario area on its cluster: isolation, controllers and metrics. */
export type TheatreNeeds = Pick<ScenarioArea, "isAlone" | "controllers" | "metrics">;

/** Starts the embedded server with this library's controllers, on a virtual clock. */
export async function virtualTheatre(
  { metrics }: TheatreNeeds = {},
  seed = 1,
): Promise<Theatre> {
  const clock = new FakeClock();
  const random = seededRandom(seed);
  const server = await startWithAccounts({ clock, random });
  const client = clientOf(server, { clock });
  const shared = { client, clock, random, nodes: NODES, ...EMBEDDED_KEYS };
  const cluster = await startCluster({ ...shared, ...metrics && { metrics } });
  const pass: Pass = (ms) => clock.advance(ms);
  await pass(1000);
  return {
    play: (scenario) => playOn(client, scenario, pass),
    async [Symbol.asyncDispose]() {
      const stopped = cluster.stop();
      await pass(6000);
      await stopped;
      client[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/**
 * Starts a real control plane with kube-controller-manager, and kube-scheduler or this library's
 * scheduler.
 */
export async function realTheatre(
  { isAlone: hasScheduler = false, controllers: more = [], metrics }: TheatreNeeds = {},
): Promise<Theatre> {
  await using stack = new AsyncDisposableStack();
  const upstream = [...UPSTREAM_CONTROLLERS, ...more];
  const plane = stack.use(
    await ControlPlane.start({ controllers: upstream, apiserverFlags: ACCOUNT_FLAGS }),
  );
  const client = stack.use(createClient(plane.config));
  const others = [...upstream, ...hasScheduler ? ["scheduler"] : []];
  const controllers = CLUSTER_CONTROLLERS.filter((name) => !others.includes(name));
  if (hasScheduler) stack.use(await startScheduler(plane.kubeconfigPath));
  const options = { client, controllers, nodes: NODES, ...metrics && { metrics } };
  stack.use(await startCluster(options));
  await awaitControllers(client);
  const ending = stack.move();
  return {
    play: (scenario) => playOn(client, scenario),
    [Symbol.asyncDispose]: () => ending.disposeAsync(),
  };
}

/** Starts kube-scheduler, which `deno task control-plane:build --cluster` builds. */
async function startScheduler(kubeconfig: string): Promise<AsyncDisposable> {
  const folder = await Deno.makeTempDir({ prefix: "xca-scheduler-" });
  const process = GuardedProcess.create({
    program: join(controlPlaneCacheDir(), "kube-scheduler"),
    args: [
      `--kubeconfig=${kubeconfig}`,
      "--leader-elect=false",
      "--bind-address=127.0.0.1",
      `--secure-port=${findFreePort()}`,
      `--cert-dir=${folder}`,
    ],
    logFile: join(folder, "kube-scheduler.log"),
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
 * Waits until all controllers respond: those of another process start later than its API server.
 */
export async function awaitControllers(client: Client): Promise<void> {
  const { namespace } = await Stage.open(client, { name: "warm up" });
  const { metadata, spec } = deployment();
  await client.create(Deployment, { metadata: { ...metadata, namespace }, spec });
  await until(async () => {
    const { status } = await client.get(Deployment, `${namespace}/${metadata.name}`);
    return status?.availableReplicas === 3;
  });
  await client.delete(Deployment, `${namespace}/${metadata.name}`);
}

async function playOn(client: Client, scenario: Scenario, pass?: Pass): Promise<Played> {
  const stage = await Stage.open(client, scenario, pass);
  const types = (scenario.kinds ?? []).map(({ type }) => type)
    .filter(({ scope }) => scope !== "Cluster");
  await using states = await VisitedStates.start(client, stage.namespace, types);
  await scenario.run(stage);
  await stage.settle();
  const state = compactState(await stage.state());
  const sources = await stage.eventSources();
  const visited = states.result();
  const sequences = states.sequences();
  await removeAll(stage, [...types, Pod]);
  await scenario.after?.(stage);
  return { state, visited, sequences, sources };
}

/** Deletes the objects of a scenario, so that its pods leave the nodes. */
async function removeAll(
  { client, namespace }: Stage,
  types: readonly ResourceType[],
): Promise<void> {
  for (const type of new Set(types)) {
    await client.deleteCollection(type, { namespace, propagationPolicy: "Background" });
  }
}
