/**
 * Plays scenarios: on a virtual clock in this process, or under kube-controller-manager.
 *
 * @module
 */
import { seededRandom } from "../../lib/apimachinery/base/mod.ts";
import { FakeClock } from "../../lib/apimachinery/base/time/fake_clock.ts";
import { Deployment, Pod, type ResourceType } from "../../lib/apimachinery/meta/mod.ts";
import { type Client, createClient } from "../../lib/client/mod.ts";
import { CLUSTER_CONTROLLERS, startCluster } from "../../lib/cluster/mod.ts";
import { ApiServer, clientOf, ControlPlane } from "../../lib/testing/mod.ts";
import { until } from "../support/until.ts";
import { compactState } from "./compact_state.ts";
import { deployment } from "./scenarios/parts.ts";
import { type Visited, VisitedStates } from "./visited.ts";
import { type Pass, type Scenario, Stage } from "./world.ts";

/** What one run of a scenario led to. */
export interface Played {
  /** The settled state, without what the API server alone decides. */
  readonly state: Readonly<Record<string, unknown>>;
  /** The states that a watch has seen on the way, by kind. */
  readonly visited: Visited;
}

/** A cluster in which scenarios can be played. */
export interface Theatre extends AsyncDisposable {
  /** Plays a scenario in a namespace of its own, and removes its objects. */
  play(scenario: Scenario): Promise<Played>;
}

/** The controllers of kube-controller-manager that scenarios compare, or need. */
export const UPSTREAM_CONTROLLERS: readonly string[] = [
  "cronjob-controller",
  "daemonset-controller",
  "deployment-controller",
  "garbage-collector-controller",
  "job-controller",
  "replicaset-controller",
  "statefulset-controller",
  "ttl-after-finished-controller",
];

/** The number of nodes of a theatre. */
const NODES = 3;

/** Starts the embedded server with the controllers of the library, on a virtual clock. */
export async function virtualTheatre(seed = 1): Promise<Theatre> {
  const clock = new FakeClock();
  const random = seededRandom(seed);
  const server = await ApiServer.start({ clock, random });
  const client = clientOf(server, { clock });
  const cluster = await startCluster({ client, clock, random, nodes: NODES });
  const pass: Pass = async (ms) => {
    for (let left = ms; left > 0; left -= 1000) await clock.advance(Math.min(left, 1000));
  };
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

/** Starts a real control plane whose controllers are those of kube-controller-manager. */
export async function realTheatre(): Promise<Theatre> {
  await using stack = new AsyncDisposableStack();
  const plane = stack.use(await ControlPlane.start({ controllers: UPSTREAM_CONTROLLERS }));
  const client = stack.use(createClient(plane.config));
  const controllers = CLUSTER_CONTROLLERS.filter((name) => !UPSTREAM_CONTROLLERS.includes(name));
  stack.use(await startCluster({ client, controllers, nodes: NODES }));
  await awaitControllers(client);
  const ending = stack.move();
  return {
    play: (scenario) => playOn(client, scenario),
    [Symbol.asyncDispose]: () => ending.disposeAsync(),
  };
}

/** Waits until all controllers work: those of another process start later than its API server. */
async function awaitControllers(client: Client): Promise<void> {
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
  const types = (scenario.kinds ?? []).map(({ type }) => type);
  await using states = await VisitedStates.start(client, stage.namespace, types);
  await scenario.run(stage);
  await stage.settle();
  const state = compactState(await stage.state());
  const visited = states.result();
  await removeAll(stage, [...types, Pod]);
  return { state, visited };
}

/** Removes the objects of a scenario, so that its pods leave the nodes. */
async function removeAll(
  { client, namespace }: Stage,
  types: readonly ResourceType[],
): Promise<void> {
  for (const type of new Set(types)) {
    await client.deleteCollection(type, { namespace, propagationPolicy: "Background" });
  }
}
