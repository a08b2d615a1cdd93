import { ControlPlaneUnavailable } from "@xca/operator/testing";
import { packagePlugin } from "../plugin/package.ts";
import { ApiserverTarget } from "./support/apiserver_target.ts";
import type { BenchContext } from "./support/context.ts";
import { type Row, row, skippedRow } from "./support/measure.ts";
import { PodMaker } from "./support/realistic_pods.ts";

type Pair = [number, number];

const NAMESPACE = "/api/v1/namespaces/default";
/** The number of requests in flight at once. */
const CONCURRENCY = 8;
const WATCHERS = 100;
/**
 * The number of watch events per round, so that the 99th percentile is not that of a single event.
 */
const EVENTS = 300;
/**
 * The time without a fall after which the memory of a server counts as settled, in milliseconds.
 */
const SETTLE_MS = 10_000;

const NAMES = {
  packaged: "API server: start to ready, kubectl-xca serve of the packaged plugin",
  imported: "API server: start to ready, deno run of a program that imports it",
  create: "API server: ConfigMaps created per second",
  update: "API server: ConfigMaps updated per second",
  patch: "API server: ConfigMaps patched per second",
  get: "API server: ConfigMaps read per second",
  watch: `API server: one event to ${WATCHERS} watchers, p99`,
  memory: "API server: resident memory with pods of 4.6 KB",
} as const;

/**
 * Returns the rows that compare the embedded API server with kube-apiserver and etcd: both over
 * HTTPS, with the same client.
 */
export async function apiserverRows(context: BenchContext): Promise<Row[]> {
  const { quick, say } = context;
  say("starting kube-apiserver and the embedded server");
  let real: ApiserverTarget;
  try {
    real = await ApiserverTarget.real();
  } catch (error) {
    if (!(error instanceof ControlPlaneUnavailable)) throw error;
    const why = error.message.split("\n")[0]!;
    return Object.values(NAMES).map((name) => skippedRow(name, why));
  }
  await using _real = real;
  const rows = await startRows(quick ? 3 : 5);
  await using ours = await ApiserverTarget.embedded();
  const rounds = context.rounds ?? (quick ? 3 : 7);
  rows.push(...await throughputRows(context, ours, real, rounds));
  say("events to watchers");
  const latencies: Pair[] = [];
  for (let round = 0; round < rounds; round++) {
    const theirsFirst = round % 2 === 1 ? await fanOutMs(real, round) : undefined;
    const mine = await fanOutMs(ours, round);
    latencies.push([mine, theirsFirst ?? await fanOutMs(real, round)]);
  }
  rows.push(row(NAMES.watch, "ms", latencies, 1.2));
  rows.push(await memoryRow(context, ours, real));
  return rows;
}

/**
 * Measures the start of both servers, and of the embedded one by two programs. Each round starts
 * them anew, one after the other; the first embedded start warms caches up.
 */
async function startRows(rounds: number): Promise<Row[]> {
  const packaged: Pair[] = [];
  const imported: Pair[] = [];
  const folder = await Deno.makeTempDir();
  const startMs = async (start: Promise<ApiserverTarget>): Promise<number> => {
    await using target = await start;
    return target.startMs;
  };
  try {
    await packagePlugin(folder);
    for (let round = -1; round < rounds; round++) {
      const mine = await startMs(ApiserverTarget.packaged(folder));
      const program = await startMs(ApiserverTarget.embedded());
      if (round < 0) continue;
      const theirs = await startMs(ApiserverTarget.real());
      packaged.push([mine, theirs]);
      imported.push([program, theirs]);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  return [row(NAMES.packaged, "ms", packaged, 0.1), row(NAMES.imported, "ms", imported, 0.1)];
}

/** Measures requests per second of both servers; the first round warms both up. */
async function throughputRows(
  { quick, say }: BenchContext,
  ours: ApiserverTarget,
  real: ApiserverTarget,
  rounds: number,
): Promise<Row[]> {
  const count = quick ? 300 : 2000;
  const measured = {
    create: [] as Pair[],
    update: [] as Pair[],
    patch: [] as Pair[],
    get: [] as Pair[],
  };
  for (let round = -1; round < rounds; round++) {
    say(`requests per second, round ${round + 1} of ${rounds}`);
    const [mine, theirs] = [await oneRound(ours, round, count), await oneRound(real, round, count)];
    if (round < 0) continue;
    for (const verb of ["create", "update", "patch", "get"] as const) {
      measured[verb].push([mine[verb], theirs[verb]]);
    }
  }
  return (["create", "update", "patch", "get"] as const).map((verb) =>
    row(NAMES[verb], "per second", measured[verb], 2, { atLeast: true })
  );
}

async function oneRound(
  target: ApiserverTarget,
  round: number,
  count: number,
): Promise<Record<"create" | "update" | "patch" | "get", number>> {
  const path = (number: number): string => `${NAMESPACE}/configmaps/${nameOf(number)}`;
  const nameOf = (number: number): string => `bench-${round + 1}-${number}`;
  const object = (number: number, x: string): unknown => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: nameOf(number), labels: { app: "bench" } },
    data: { x, text: "some text of a configuration file\n".repeat(15) },
  });
  const create = await perSecond(
    count,
    (number) => target.call("POST", `${NAMESPACE}/configmaps`, object(number, "1")),
  );
  const get = await perSecond(count, (number) => target.call("GET", path(number)));
  const update = await perSecond(
    count,
    (number) => target.call("PUT", path(number), object(number, "2")),
  );
  const patch = await perSecond(
    count,
    (number) =>
      target.call("PATCH", path(number), { data: { x: "3" } }, "application/merge-patch+json"),
  );
  await target.call("DELETE", `${NAMESPACE}/configmaps`);
  return { create, update, patch, get };
}

async function perSecond(count: number, call: (number: number) => Promise<void>): Promise<number> {
  let next = 0;
  const begun = performance.now();
  await Promise.all(Array.from({ length: CONCURRENCY }, async () => {
    while (next < count) await call(next++);
  }));
  return count / (performance.now() - begun) * 1000;
}

/**
 * Measures the time from sending a write to its event at each watcher: the 99th percentile over
 * all, in milliseconds.
 */
async function fanOutMs(target: ApiserverTarget, round: number): Promise<number> {
  const name = `watched-${round}`;
  const path = `${NAMESPACE}/configmaps`;
  await target.call("POST", path, { metadata: { name } });
  const latencies: number[] = [];
  let arrived = 0;
  let sentAt = 0;
  let allArrived = (): void => {};
  const onData = (): void => {
    latencies.push(performance.now() - sentAt);
    if (++arrived === WATCHERS) allArrived();
  };
  const query = `watch=1&fieldSelector=metadata.name%3D${name}`;
  // One at a time: each begins with the object as it is.
  const stops: (() => void)[] = [];
  const begun = new Promise<void>((resolve) => allArrived = resolve);
  for (let watcher = 0; watcher < WATCHERS; watcher++) {
    stops.push(await target.watch(`${path}?${query}`, onData));
  }
  await begun;
  latencies.length = 0;
  for (let event = 0; event < EVENTS; event++) {
    arrived = 0;
    const all = new Promise<void>((resolve) => allArrived = resolve);
    sentAt = performance.now();
    const data = { event: String(event) };
    await target.call("PATCH", `${path}/${name}`, { data }, "application/merge-patch+json");
    await all;
  }
  for (const stop of stops) stop();
  await target.call("DELETE", `${path}/${name}`);
  latencies.sort((a, b) => a - b);
  return latencies[Math.floor(latencies.length * 0.99)]!;
}

async function memoryRow(
  { quick, say }: BenchContext,
  ours: ApiserverTarget,
  real: ApiserverTarget,
): Promise<Row> {
  const count = quick ? 5000 : 100_000;
  const settled: number[] = [];
  for (const target of [ours, real]) {
    say(`${count} pods on ${target === ours ? "the embedded server" : "kube-apiserver"}`);
    await fill(target, count);
    settled.push(await settledMb(target));
  }
  const pair: Pair = [settled[0]!, settled[1]!];
  return row(`${NAMES.memory}, ${count} of them`, "MB", [pair], 0.3);
}

async function fill(target: ApiserverTarget, count: number): Promise<void> {
  const maker = new PodMaker();
  const pods = Array.from({ length: 40 }, (_, team) => `team-${team}`);
  for (const name of pods) await target.call("POST", "/api/v1/namespaces", { metadata: { name } });
  await perSecond(count, (number) => {
    const { metadata, spec } = maker.pod(number, 1);
    const { name, namespace, labels, annotations, ownerReferences } = metadata;
    const pod = { metadata: { name, labels, annotations, ownerReferences }, spec };
    return target.call("POST", `/api/v1/namespaces/${namespace}/pods`, pod);
  });
}

/** Measures the memory of a server once it has not fallen by 1 % for ten seconds, in megabytes. */
async function settledMb(target: ApiserverTarget): Promise<number> {
  let least = target.residentMb();
  for (let unchanged = 0; unchanged < SETTLE_MS;) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const now = target.residentMb();
    unchanged = now < least * 0.99 ? 0 : unchanged + 1000;
    least = Math.min(least, now);
  }
  return least;
}
