import assert from "node:assert/strict";
import { delay, seededRandom } from "../../../lib/apimachinery/base/mod.ts";
import { createClient } from "../../../lib/client/mod.ts";
import {
  CLUSTER_CONTROLLERS,
  type ClusterOptions,
  startCluster,
} from "../../../lib/cluster/mod.ts";
import { clientOf, ControlPlane } from "../../../lib/testing/mod.ts";
import {
  ACCOUNT_FLAGS,
  type AccountKeys,
  EMBEDDED_KEYS,
  keysOf,
  startWithAccounts,
} from "../../cluster/account_keys.ts";
import { SCENARIOS, VARYING_SCENARIOS } from "../../cluster/scenarios/mod.ts";
import { awaitControllers, UPSTREAM_CONTROLLERS } from "../../cluster/play.ts";
import { type Scenario, Stage } from "../../cluster/world.ts";
import type { Client } from "../../../lib/client/mod.ts";
import { realTest } from "../suite.ts";

/** The number of looks at two states that differ, and the pause between them in milliseconds. */
const TRIES = 60;
const PAUSE_MS = 500;

/** The number of scenarios that are played, unless all are. */
const SAMPLE = 30;

/** The scenarios that each sample has: what they are about depends on the API server too. */
const ALWAYS: readonly string[] = [
  "account default that is deleted",
  "certificates that are changed",
  "CertificateSigningRequest of a kubelet",
  "ResourceQuota of Deployments, deleted",
  "token Secrets whose account is deleted",
  "pod of the account default",
];

/**
 * Returns the scenarios to play: with `XCA_SCENARIOS=all` those that two runs of
 * kube-controller-manager end alike, else a sample of them. The sample is the same on every run, and
 * another one with `XCA_SEED`: on a busy machine a real clock cannot tell a controller that is stuck
 * from one that is slow. All scenarios with a record are compared with it on the embedded server.
 */
function sample(): readonly Scenario[] {
  const comparable = SCENARIOS.filter(({ name }) => !VARYING_SCENARIOS.has(name));
  if (Deno.env.get("XCA_SCENARIOS") === "all") return comparable;
  const random = seededRandom(Number(Deno.env.get("XCA_SEED") ?? 1));
  const always = comparable.filter(({ name }) => ALWAYS.includes(name));
  const sampled = comparable
    .filter(({ name, restMs }) => restMs === undefined && !name.includes("stuck"))
    .map((scenario) => ({ scenario, rank: random.next() }))
    .filter(({ scenario }) => !ALWAYS.includes(scenario.name))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, SAMPLE)
    .map(({ scenario }) => scenario);
  return [...always, ...sampled];
}

/** The number of scenarios of a world that run at the same time. */
const AT_ONCE = 16;

/** Runs scenarios, each in a namespace of its own, which it returns by name. */
async function play(client: Client, scenarios: readonly Scenario[]): Promise<Map<string, Stage>> {
  const stages = new Map<string, Stage>();
  const next = scenarios.values();
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (const scenario of next) stages.set(scenario.name, await playOne(client, scenario));
  }));
  return stages;
}

/** Runs a scenario, and waits until its namespace has settled. */
async function playOne(client: Client, scenario: Scenario): Promise<Stage> {
  const stage = await Stage.open(client, scenario);
  await scenario.run(stage);
  await stage.settle();
  return stage;
}

/** A server, and the options of a cluster on it. */
interface Server extends AsyncDisposable {
  readonly options: AccountKeys & Pick<ClusterOptions, "client">;
}

/** A world in which all scenarios have been played. */
interface World extends AsyncDisposable {
  readonly client: Client;
  readonly stages: ReadonlyMap<string, Stage>;
}

/** Starts the controllers of the library on a server, and plays the scenarios. */
async function playOn(
  server: Server,
  scenarios: readonly Scenario[],
  controllers: readonly string[] = CLUSTER_CONTROLLERS,
): Promise<World> {
  await using stack = new AsyncDisposableStack();
  stack.use(server);
  stack.use(await startCluster({ ...server.options, controllers }));
  const { client } = server.options;
  await awaitControllers(client);
  const stages = await play(client, scenarios);
  const ending = stack.move();
  return { client, stages, [Symbol.asyncDispose]: () => ending.disposeAsync() };
}

/** Starts a real control plane with controllers of kube-controller-manager. */
async function realServer(
  controllers: readonly string[],
): Promise<Server> {
  const plane = await ControlPlane.start({ controllers, apiserverFlags: ACCOUNT_FLAGS });
  const client = createClient(plane.config);
  return {
    options: { client, ...keysOf(plane) },
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await plane[Symbol.asyncDispose]();
    },
  };
}

async function embeddedServer(): Promise<Server> {
  const server = await startWithAccounts();
  const client = clientOf(server);
  return {
    options: { client, ...EMBEDDED_KEYS },
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Waits until both namespaces are in one state, and fails with the difference if they never are. */
async function assertSameState(actual: Stage, expected: Stage): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const states = await Promise.all([actual.state(), expected.state()]);
    if (JSON.stringify(states[0]) === JSON.stringify(states[1])) return;
    await delay(PAUSE_MS);
  }
  assert.deepEqual(await actual.state(), await expected.state());
}

/**
 * Compares the ends of a scenario in two worlds. A difference counts when the scenario, played again
 * by itself, ends differently again: on a real clock the pace of a busy machine decides which
 * conflicts a controller meets, and so which events it emits.
 */
async function assertSameEnd(
  scenario: Scenario,
  label: string,
  actual: World,
  expected: World,
): Promise<void> {
  try {
    const { name } = scenario;
    return await assertSameState(actual.stages.get(name)!, expected.stages.get(name)!);
  } catch (error) {
    // deno-lint-ignore no-console -- a difference that vanishes shall not vanish unseen
    console.error(`${scenario.name} is played again: ${error}`);
  }
  const again = { ...scenario, name: `${label} again ${scenario.name}` };
  const [theirs, ours] = await Promise.all([
    playOne(expected.client, again),
    playOne(actual.client, again),
  ]);
  await assertSameState(ours, theirs);
}

realTest(
  "workloads settle in the same state under kube-controller-manager's controllers and under those of the library",
  async (t) => {
    const own = CLUSTER_CONTROLLERS.filter((name) => !UPSTREAM_CONTROLLERS.includes(name));
    const scenarios = sample();
    const started = await Promise.all([
      realServer(UPSTREAM_CONTROLLERS).then((server) => playOn(server, scenarios, own)),
      realServer(["garbage-collector-controller", "namespace-controller"]).then((server) =>
        playOn(server, scenarios)
      ),
      embeddedServer().then((server) => playOn(server, scenarios)),
    ]);
    await using stack = new AsyncDisposableStack();
    const [truth, onReal, embedded] = started.map((world) => stack.use(world));
    for (const scenario of scenarios) {
      await t.step(
        `${scenario.name}: on kube-apiserver`,
        () => assertSameEnd(scenario, "real", onReal!, truth!),
      );
      await t.step(
        `${scenario.name}: embedded`,
        () => assertSameEnd(scenario, "embedded", embedded!, truth!),
      );
    }
  },
);
