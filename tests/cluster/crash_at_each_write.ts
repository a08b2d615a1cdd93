/**
 * Crashes of controllers at each of their writes: a scenario is played once without a crash, then
 * once for each write of the controllers under test and each kind of crash. After a crash the
 * controllers are restarted, and the settled state must equal that of the run without a crash.
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
  /**
   * The controllers that crash, by their names in kube-controller-manager. The others keep running.
   */
  readonly controllers: readonly string[];
  /** The script of the simulated containers during the scenario. @default {none} */
  readonly script?: ClusterOptions["script"];
  /** The handlers of custom and external metrics that the scenario needs. @default {none} */
  readonly metrics?: ClusterOptions["metrics"];
  /**
   * The time between the last step of the scenario and the comparison of the state, in seconds.
   * @default {20}
   */
  readonly restSeconds?: number;
  /**
   * Returns state to compare in addition to {@linkcode Stage.state}.
   *
   * @default {the taints and the conditions of the nodes}
   */
  readonly state?: (stage: Stage) => Promise<unknown>;
  /**
   * Returns the crashes to play for the writes of the run without a crash, in the form `create pods`.
   *
   * @default {before and after each write}
   */
  readonly crashes?: (writes: readonly string[]) => readonly Crash[];
}

/** The moment of a crash: the request is lost, or it is executed and its response is lost. */
type Moment = "before" | "after";

/** A crash at one write of the controllers, counted from 1. */
export interface Crash {
  readonly write: number;
  readonly moment: Moment;
}

/** The settled state and the writes of one run of a scenario. */
interface Outcome {
  readonly state: unknown;
  /** The writes of the controllers under test, in the form `create pods`. */
  readonly writes: readonly string[];
}

const READS = new Set(["get", "list", "watch"]);

/** The resources whose writes are not counted: they follow from the clock, or may be lost. */
const UNCOUNTED = new Set(["events", "leases"]);

/** A controller that may run twice, since most scenarios give it no work. */
const IDLE = "ttl-after-finished-controller";

/** The time between a crash and the restart of the controllers, in seconds. */
const DOWN_SECONDS = 1;

/** Returns a crash before and a crash after each write. */
function crashesOfAll(writes: readonly string[]): Crash[] {
  return writes.flatMap((_, index): Crash[] => [
    { write: index + 1, moment: "before" },
    { write: index + 1, moment: "after" },
  ]);
}

/**
 * Returns crashes before and after the first write of each kind, and after its last write: writes of
 * a kind between them meet a controller in the state in which the first meets it.
 */
export function crashesOfKinds(writes: readonly string[]): Crash[] {
  return crashesOfAll(writes).filter(({ write, moment }) => {
    const kind = writes[write - 1]!;
    const isLast = moment === "after" && writes.lastIndexOf(kind) === write - 1;
    return writes.indexOf(kind) === write - 1 || isLast;
  });
}

/**
 * Plays a scenario with a crash before and after each write of the controllers, or with the chosen
 * crashes, and checks that the settled state equals that of the run without a crash. Returns the number of writes.
 *
 * Events are not compared: an event may be lost, or recorded twice.
 *
 * @throws {AssertionError} When the state differs; the message names the write.
 */
export async function crashAtEachWrite(options: CrashOptions): Promise<number> {
  const undisturbed = await play(options);
  const { writes } = undisturbed;
  const next = (options.crashes ?? crashesOfAll)(writes).values();
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

/**
 * The number of clusters that run scenarios concurrently; each waits for its virtual time most of
 * the time.
 */
const PLAYS_AT_ONCE = 8;

/** Plays a scenario in a new cluster. */
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
  /** The writes so far, in the form `create pods`. */
  readonly writes: string[] = [];
  /** Reports whether the connection has broken and the controllers were not stopped yet. */
  isDead = false;
  /** Reports whether the crash has happened. */
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

/** Reports whether a call is a write with a cause other than the clock. */
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
