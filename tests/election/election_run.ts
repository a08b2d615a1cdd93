import { delay } from "../../lib/apimachinery/base/time/delay.ts";
import { type Random, seededRandom } from "../../lib/apimachinery/base/time/random.ts";
import { ConfigMap, Lease, Namespace } from "../../lib/apimachinery/meta/builtin.ts";
import { createClient } from "../../lib/client/create_client.ts";
import { isNotFound } from "../../lib/client/errors/api_error.ts";
import type { Client } from "../../lib/client/typed/client.ts";
import type { Plane } from "../support/planes/plane.ts";
import { until } from "../support/until.ts";
import { deckOfFaults } from "./faults.ts";
import { judge, type Judgement } from "./judge.ts";
import type { MemoryRecord, ReplicaRecord } from "./records.ts";
import { ReplicaProcess } from "./replica_process.ts";
import { TaskWriter } from "./task_writer.ts";
import { TIMING } from "./replica.ts";

/** Options for {@linkcode runElection}. */
export interface ElectionRunOptions {
  /** The control plane that the replicas use, which writes an audit log. */
  readonly plane: Plane;
  /** The namespace of the run's objects and Lease, which the run creates. */
  readonly namespace: string;
  /** The seed of the run's random faults and writes. */
  readonly seed: number;
  /** The number of decks of faults, each of which holds every kind once. */
  readonly decks: number;
  /** Prints a line about each fault of the run. */
  readonly print: (line: string) => void;
}

/** The result of {@linkcode runElection}. */
export interface ElectionResult extends Judgement {
  /** The number of faults that the run has caused. */
  readonly faults: number;
  /** The differences at the end of the run between the stored objects and the wanted ones. */
  readonly differences: readonly string[];
  /** The process ids of all processes of all replicas. */
  readonly pids: readonly number[];
  /** The memory samples of the replicas, by name of the process. */
  readonly memory: ReadonlyMap<string, readonly MemoryRecord[]>;
  /** The errors with which processes of replicas ended, each with its number of processes. */
  readonly ends: ReadonlyMap<string, number>;
  /** The identity that the Lease names after all replicas have stopped. */
  readonly holderAtEnd: string;
}

/** Runs three replicas under faults, while objects are created, changed and deleted, and judges the run. */
export async function runElection(options: ElectionRunOptions): Promise<ElectionResult> {
  const dir = Deno.makeTempDirSync({ prefix: "xca-election-" });
  try {
    return await runIn(dir, options);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

async function runIn(dir: string, options: ElectionRunOptions): Promise<ElectionResult> {
  const { plane, namespace, seed, decks, print } = options;
  const random = seededRandom(seed);
  using client = createClient({ ...plane.config, userAgent: "writer" });
  await client.create(Namespace, { metadata: { name: namespace } });
  await using all = new AsyncDisposableStack();
  const replicas = ["a", "b", "c"].map((name) =>
    all.use(ReplicaProcess.create({ name, dir, namespace, config: plane.config }))
  );
  const ending = new AbortController();
  const writer = new TaskWriter(client, namespace, seededRandom(seed + 1));
  const supervising = Promise.all(replicas.map((replica) => supervise(replica, ending.signal)));
  const writing = new AbortController();
  let writes: Promise<void> | undefined;
  try {
    await until(
      async () => await leaderOf({ client, namespace, replicas }) !== undefined,
      () => failure("a leader", replicas),
    );
    writes = writer.run(writing.signal);
    let faults = 0;
    for (let deck = 0; deck < decks; deck++) {
      for (const fault of deckOfFaults(random)) {
        await writesGoOn(client, namespace);
        const replica = await chosen({ client, namespace, replicas }, random);
        print(`${replica.name}: ${fault.text}`);
        await fault.begin(replica);
        await delay(fault.holdMs);
        await fault.end(replica);
        await delay(random.next() * 1_000);
        faults++;
      }
    }
    writing.abort();
    await writes;
    let differences: string[] = [];
    await until(
      async () => (differences = await writer.differences()).length === 0,
      () => failure(`an end without differences: ${differences.join("; ")}`, replicas),
    );
    ending.abort();
    await supervising;
    await stopAll(replicas);
    const records = new Map(replicas.flatMap((replica) => [...replica.records()]));
    const { renewDeadlineMs } = TIMING;
    const events = await plane.auditEvents();
    return {
      ...judge({ events, records, namespace, renewDeadlineMs }),
      faults,
      differences: await writer.differences(),
      pids: replicas.flatMap(({ pids }) => pids),
      memory: memoryOf(records),
      ends: endsOf(records),
      holderAtEnd: (await client.get(Lease, `${namespace}/election`)).spec?.holderIdentity ?? "",
    };
  } finally {
    writing.abort();
    ending.abort();
    await Promise.allSettled([writes, supervising]);
  }
}

/** Restarts the process of a replica whenever it has ended, as a kubelet does. */
async function supervise(replica: ReplicaProcess, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await replica.ensure();
    await delay(100, { signal }).catch(() => {});
  }
}

interface Cluster {
  readonly client: Client;
  readonly namespace: string;
  readonly replicas: readonly ReplicaProcess[];
}

async function leaderOf(cluster: Cluster): Promise<ReplicaProcess | undefined> {
  const { client, namespace, replicas } = cluster;
  try {
    const { spec } = await client.get(Lease, `${namespace}/election`);
    return replicas.find((replica) => replica.owns(spec?.holderIdentity ?? ""));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Returns the replica that the next fault hits: the leader in most cases. */
async function chosen(cluster: Cluster, random: Random): Promise<ReplicaProcess> {
  const { replicas } = cluster;
  const other = replicas[Math.floor(random.next() * replicas.length)]!;
  return random.next() < 0.8 ? await leaderOf(cluster) ?? other : other;
}

/** Waits until a leader has finished some task that was changed after this call. */
async function writesGoOn(client: Client, namespace: string): Promise<void> {
  const done = async (): Promise<string> => {
    const { items } = await client.list(ConfigMap, { namespace });
    return items.map(({ metadata, data }) => `${metadata.name}=${data?.done}`).join();
  };
  const before = await done();
  await until(async () => await done() !== before, "a leader that works");
}

async function stopAll(replicas: readonly ReplicaProcess[]): Promise<void> {
  await Promise.all(replicas.map((replica) => replica.signal("TERM")));
  for (const replica of replicas) {
    await until(async () => !await replica.running(), `the end of ${replica.name}`);
  }
}

function memoryOf(
  records: ReadonlyMap<string, readonly ReplicaRecord[]>,
): Map<string, MemoryRecord[]> {
  const all = new Map<string, MemoryRecord[]>();
  for (const [process, own] of records) {
    all.set(process, own.filter((record) => record.kind === "memory"));
  }
  return all;
}

function endsOf(records: ReadonlyMap<string, readonly ReplicaRecord[]>): Map<string, number> {
  const ends = new Map<string, number>();
  for (const own of records.values()) {
    for (const record of own) {
      if (record.kind !== "end") continue;
      // The figures and names differ from end to end.
      const text = record.error.replace(/\b[abc]\.\d+\b/g, "another replica");
      ends.set(text, (ends.get(text) ?? 0) + 1);
    }
  }
  return ends;
}

function failure(what: string, replicas: readonly ReplicaProcess[]): string {
  return `${what}\n${
    replicas.map((each) => `${each.name}: ${each.log().slice(-2_000)}`).join("\n")
  }`;
}
