/**
 * Crashes of controllers at each of their writes: a scenario is played once without a crash, then once
 * for each write of the controllers under test and each kind of crash. After a crash the controllers
 * are started again, and the settled state must be that of the undisturbed run.
 *
 * @module
 */
import assert from "node:assert/strict";
import { seededRandom } from "../../lib/apimachinery/base/mod.ts";
import { FakeClock } from "../../lib/apimachinery/base/time/fake_clock.ts";
import { Node } from "../../lib/apimachinery/meta/mod.ts";
import type { Client } from "../../lib/client/mod.ts";
import {
  type Cluster,
  CLUSTER_CONTROLLERS,
  type ClusterOptions,
  startCluster,
} from "../../lib/cluster/mod.ts";
import { type ApiServer, clientOf } from "../../lib/testing/mod.ts";
import { type CallFacts, callFacts } from "../../lib/testing/faults/call_facts.ts";
import { dropCall } from "../../lib/testing/faults/faults.ts";
import { EMBEDDED_KEYS, startWithAccounts } from "./account_keys.ts";
import { type Scenario, Stage } from "./world.ts";

/** Options of {@linkcode crashAtEachWrite}. */
export interface CrashOptions {
  readonly scenario: Scenario;
  /** The controllers that crash, by their names in kube-controller-manager. The others keep running. */
  readonly controllers: readonly string[];
  /** The script of the pretended containers. @default {none} */
  readonly script?: ClusterOptions["script"];
  /** The adapter of metrics that the scenario needs. @default {none} */
  readonly metrics?: ClusterOptions["metrics"];
  /** The time that passes after the last step of the scenario, in seconds. @default {20} */
  readonly restSeconds?: number;
  /**
   * Returns the part of the state that {@linkcode Stage.state} lacks.
   *
   * @default {the taints and the conditions of the nodes}
   */
  readonly state?: (stage: Stage) => Promise<unknown>;
}

/** The moment of a crash: the request is lost, or is done and its response is lost. */
type Moment = "before" | "after";

/** A crash at the write of a number, counted from 1. */
interface Crash {
  readonly write: number;
  readonly moment: Moment;
}

/** The end of one run of a scenario. */
interface Outcome {
  readonly state: unknown;
  /** The writes of the controllers under test, as `create pods`. */
  readonly writes: readonly string[];
}

const READS = new Set(["get", "list", "watch"]);

/** Objects that are written by the clock, or whose loss is allowed. */
const UNCOUNTED = new Set(["events", "leases"]);

/** A controller that may run twice: it has nothing to do in most scenarios. */
const IDLE = "ttl-after-finished-controller";

/** The time between the crash and the new start of the controllers, in seconds. */
const DOWN_SECONDS = 1;

/**
 * Plays a scenario with a crash before and after each write of controllers, and checks that the
 * settled state is that of the run without a crash. Returns the number of writes.
 *
 * Events are left out: an event may be lost, or recorded twice.
 *
 * @throws {AssertionError} When the state differs; the message names the write.
 */
export async function crashAtEachWrite(options: CrashOptions): Promise<number> {
  const undisturbed = await play(options);
  const { writes } = undisturbed;
  const crashes = writes.flatMap((_, index): Crash[] => [
    { write: index + 1, moment: "before" },
    { write: index + 1, moment: "after" },
  ]);
  const next = crashes.values();
  await Promise.all(Array.from({ length: PLAYS_AT_ONCE }, async () => {
    for (const crash of next) {
      const { write, moment } = crash;
      const what = `${options.scenario.name}: after a crash of ${options.controllers.join(", ")} ` +
        `${moment} write ${write} of ${writes.length} (${writes[write - 1]})`;
      const { state } = await play(options, crash).catch((cause) => {
        throw new Error(`${what}: ${cause}`, { cause });
      });
      assert.deepEqual(state, undisturbed.state, what);
    }
  }));
  return writes.length;
}

/** The number of clusters that play at the same time: each waits for its virtual time most of the time. */
const PLAYS_AT_ONCE = 8;

/** Plays a scenario in a cluster of its own. */
async function play(options: CrashOptions, crash?: Crash): Promise<Outcome> {
  const { scenario, controllers, restSeconds = 20, script, metrics } = options;
  const clock = new FakeClock();
  const random = seededRandom(1);
  await using server = await startWithAccounts({ clock, random });
  using client = clientOf(server, { clock });
  const seconds = (count: number): Promise<void> => clock.advance(count * 1000);
  const shared = {
    clock,
    random,
    ...EMBEDDED_KEYS,
    ...(script && { script }),
    ...(metrics && { metrics }),
  };
  const left = CLUSTER_CONTROLLERS.filter((name) => !controllers.includes(name));
  // A cluster registers the nodes, and needs a controller, also if all of them are under test.
  const others = await startCluster({
    ...shared,
    client,
    controllers: left.length > 0 ? left : [IDLE],
  });
  const tested = new CrashingCluster(server, { ...shared, controllers, nodes: 0 }, crash);
  await tested.start();
  const pass = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    if (!tested.isDead) return;
    await tested.stop(seconds);
    await seconds(DOWN_SECONDS);
    await tested.start();
  };
  try {
    await pass(1000);
    const stage = await Stage.open(client, scenario, pass);
    await scenario.run(stage);
    await stage.settle();
    for (let second = 0; second < restSeconds; second++) await pass(1000);
    if (crash) assert(tested.hasCrashed, `write ${crash.write} was never made`);
    return { state: await stateOf(stage, client, options), writes: tested.writes };
  } finally {
    await tested.stop(seconds);
    await stopped(others, seconds);
  }
}

/** Stops a cluster on a fake clock. */
async function stopped(
  cluster: Cluster,
  seconds: (count: number) => Promise<void>,
): Promise<void> {
  const stop = cluster.stop();
  await seconds(6);
  await stop;
}

/** The controllers under test, whose connection to the server breaks at one of their writes. */
class CrashingCluster {
  /** The writes so far, as `create pods`. */
  readonly writes: string[] = [];
  /** Whether the connection broke, and the controllers were not stopped yet. */
  isDead = false;
  /** Whether the crash has happened. */
  hasCrashed = false;
  readonly #server: ApiServer;
  readonly #options: Omit<ClusterOptions, "client">;
  readonly #crash: Crash | undefined;
  #client: Client | undefined;
  #cluster: Cluster | undefined;

  constructor(server: ApiServer, options: Omit<ClusterOptions, "client">, crash?: Crash) {
    this.#server = server;
    this.#options = options;
    this.#crash = crash;
  }

  async start(): Promise<void> {
    this.isDead = false;
    const clock = this.#options.clock!;
    this.#client = clientOf(this.#server, {
      clock,
      through: (fetch) => async (request) => {
        if (this.isDead) throw new TypeError("The process of the controllers is gone");
        const call = callFacts(request);
        if (!isCounted(call)) return await fetch(request);
        const { resource, subresource, verb } = call;
        this.writes.push([verb, [resource, subresource].filter(Boolean).join("/")].join(" "));
        if (this.hasCrashed || this.writes.length !== this.#crash?.write) {
          return await fetch(request);
        }
        this.hasCrashed = true;
        this.isDead = true;
        return await dropCall(this.#crash.moment)(request, fetch, { clock });
      },
    });
    this.#cluster = await startCluster({ ...this.#options, client: this.#client });
  }

  async stop(seconds: (count: number) => Promise<void>): Promise<void> {
    if (this.#cluster) await stopped(this.#cluster, seconds);
    this.#client?.[Symbol.dispose]();
    this.#cluster = undefined;
    this.#client = undefined;
  }
}

/** Reports whether a call is a write that the clock alone does not cause. */
function isCounted({ verb, resource }: CallFacts): boolean {
  return resource !== "" && !READS.has(verb) && !UNCOUNTED.has(resource);
}

async function stateOf(stage: Stage, client: Client, options: CrashOptions): Promise<unknown> {
  const { events: _, ...state } = await stage.state() as Record<string, unknown>;
  const more = options.state ? await options.state(stage) : await nodesOf(client);
  return { ...state, more };
}

/** Returns the taints and the conditions of the nodes. */
async function nodesOf(client: Client): Promise<unknown> {
  return (await client.list(Node)).items.map(({ metadata, spec, status }) => ({
    name: metadata.name,
    taints: spec?.taints?.map(({ key, effect }) => `${key}:${effect}`).sort(),
    conditions: status?.conditions?.map(({ type, status }) => `${type}=${status}`).sort(),
  }));
}
