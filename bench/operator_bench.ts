import { ControlPlaneUnavailable } from "@xca/operator/testing";
import { join } from "node:path";
import { packagePlugin } from "../plugin/package.ts";
import { type BenchContext, NO_GO } from "./support/context.ts";
import { informerArgs, rssMb } from "./informer_bench.ts";
import { type Row, row, skippedRow } from "./support/measure.ts";
import { bundledProgram, bundleProgram, Program } from "./support/programs.ts";
import { RealCluster } from "./support/real_cluster.ts";
import { ReplayServer } from "./support/replay_server.ts";

type Pair = [number, number];

/** The name of a library whose operator the bench compares. */
type Kind = "controller-runtime" | "ours";

const WORKERS = 4;
const PER_SECOND = 100;
const RUNTIME = "controller-runtime";
/** The limit of the resident memory of the plain Xca operator at rest, in MB. */
const AT_REST_MB = 80;
/**
 * The limit of the peak resident memory of the plain Xca operator, in MB, and the number of objects
 * for which it is the limit.
 */
const PEAK_MB = 90;
const PEAK_XCAS = 3_000;

/**
 * Measures the Xca operator in a manager beside that of controller-runtime, on a real
 * kube-apiserver and with as many workers, and the memory of both with many cached pods, on the
 * replay server.
 */
export async function operatorRows(context: BenchContext): Promise<Row[]> {
  const { go, quick, say } = context;
  if (!go) return [skippedRow("operators beside controller-runtime", NO_GO)];
  const rounds = context.rounds ?? (quick ? 1 : 3);
  return [
    ...await realRows(context, go.controller, {
      rounds,
      ...quick ? { xcas: 300, peakXcas: 300 } : { xcas: 5_000, peakXcas: PEAK_XCAS },
    }),
    ...await memoryRows(context, go, {
      rounds: context.rounds ?? 1, // It varies by a few percent, and each round takes minutes.
      pods: quick ? 4_000 : 50_000,
    }),
    ...quick ? [] : await restRows(say),
  ];
}

async function realRows(
  { say }: BenchContext,
  controller: string,
  { rounds, xcas, peakXcas }: {
    readonly rounds: number;
    readonly xcas: number;
    readonly peakXcas: number;
  },
): Promise<Row[]> {
  say("starting a real kube-apiserver for the operators");
  const cluster = await started();
  if (typeof cluster === "string") return [skippedRow("operators on kube-apiserver", cluster)];
  await using _ = cluster;
  const operator = await bundleProgram("probes/operator.ts", join(cluster.dir, "operator"));
  const programOf = (kind: Kind): Program => {
    const args = ["--kubeconfig", cluster.kubeconfig];
    if (kind === RUNTIME) return new Program(kind, controller, args);
    return bundledProgram(kind, operator, args);
  };
  const scenarios = { paced, burst, backlog };
  const measured = { paced: [], burst: [], backlog: [] } as Record<
    keyof typeof scenarios,
    Readonly<Record<Kind, Measured>>[]
  >;
  const peaks: Pair[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const name of Object.keys(scenarios) as (keyof typeof scenarios)[]) {
      say(`Xca operators on kube-apiserver, ${name}, round ${round + 1} of ${rounds}`);
      const figures: Partial<Record<Kind, Measured>> = {};
      for (
        const kind of round % 2 === 0 ? [RUNTIME, "ours"] as const : ["ours", RUNTIME] as const
      ) {
        await cluster.removeXcas();
        await using program = programOf(kind);
        figures[kind] = await scenarios[name](cluster, program, xcas);
      }
      measured[name].push(figures as Record<Kind, Measured>);
    }
    say(`the peak of memory with ${peakXcas} Xca, round ${round + 1} of ${rounds}`);
    await cluster.removeXcas();
    await using program = programOf("ours");
    peaks.push([(await paced(cluster, program, peakXcas)).peakMb, PEAK_MB]);
  }
  const peakName = `kube-apiserver, ${peakXcas} Xca at ${PER_SECOND}/s: peak of memory`;
  return [
    ...rowsOf(measured, xcas),
    row(`${peakName}, against ${PEAK_MB} MB`, "MB", peaks, 1),
  ];
}

function rowsOf(
  measured: Readonly<
    Record<"paced" | "burst" | "backlog", readonly Readonly<Record<Kind, Measured>>[]>
  >,
  xcas: number,
): Row[] {
  const pairs = (name: keyof typeof measured, field: keyof Measured): Pair[] =>
    measured[name].map((each) => [each.ours[field], each[RUNTIME][field]]);
  const many = { atLeast: true };
  const suffix = `against ${RUNTIME}`;
  const pacedName = `kube-apiserver, ${xcas} Xca at ${PER_SECOND}/s, ${WORKERS} workers`;
  const burstName = `kube-apiserver, ${xcas} Xca created at once, ${WORKERS} workers`;
  const backlogName = `kube-apiserver, ${xcas} Xca before the start, ${WORKERS} workers`;
  return [
    row(`${pacedName}: p50 from seen to active, ${suffix}`, "ms", pairs("paced", "p50"), 1),
    row(`${pacedName}: p99 from seen to active, ${suffix}`, "ms", pairs("paced", "p99"), 1.2),
    row(`${pacedName}: CPU of the process, ${suffix}`, "ms", pairs("paced", "cpuMs"), 0.8),
    row(`${pacedName}: CPU per object, ${suffix}`, "us", pairs("paced", "cpuUs"), 0.9),
    row(`${pacedName}: peak of memory, ${suffix}`, "MB", pairs("paced", "peakMb")),
    row(`${burstName}: objects per second, ${suffix}`, "1/s", pairs("burst", "perSecond"), 1, many),
    row(`${burstName}: CPU per object, ${suffix}`, "us", pairs("burst", "cpuUs"), 0.9),
    row(
      `${backlogName}: objects per second, ${suffix}`,
      "1/s",
      pairs("backlog", "perSecond"),
      1,
      many,
    ),
    row(`${backlogName}: CPU per object, ${suffix}`, "us", pairs("backlog", "cpuUs"), 0.9),
  ];
}

async function started(): Promise<RealCluster | string> {
  try {
    return await RealCluster.start(0);
  } catch (error) {
    if (!(error instanceof ControlPlaneUnavailable)) throw error;
    return error.message.split("\n")[0]!;
  }
}

interface Measured {
  /**
   * The median of the time from when the bench's watch saw an object until it saw the object
   * active, in milliseconds; `p99` is the 99th percentile of this time.
   */
  readonly p50: number;
  readonly p99: number;
  /** The number of objects per second that became active. */
  readonly perSecond: number;
  /** The CPU time of the process since its start, in milliseconds. */
  readonly cpuMs: number;
  /** The CPU time per object since the caches had synced, in microseconds. */
  readonly cpuUs: number;
  readonly peakMb: number;
}

/** Measures an operator whose objects are created at a rate that it can follow. */
async function paced(cluster: RealCluster, program: Program, count: number): Promise<Measured> {
  const { processCpuMs } = await program.ask(`operate ${WORKERS}`);
  const taken = await cluster.activations(count, PER_SECOND);
  return await figuresOf(program, { count, taken, elapsedMs: NaN, beforeMs: processCpuMs! });
}

/** Measures an operator whose objects are created as fast as sixteen writers can. */
async function burst(cluster: RealCluster, program: Program, count: number): Promise<Measured> {
  const { processCpuMs } = await program.ask(`operate ${WORKERS}`);
  const startMs = performance.now();
  const taken = await cluster.activations(count, Infinity);
  const elapsedMs = performance.now() - startMs;
  return await figuresOf(program, { count, taken, elapsedMs, beforeMs: processCpuMs! });
}

/** Measures an operator whose objects exist before its start. */
async function backlog(cluster: RealCluster, program: Program, count: number): Promise<Measured> {
  await cluster.createXcas(count, Infinity);
  const { processCpuMs } = await program.ask("figures"); // The runtime has started.
  const all = await cluster.watchActive(count);
  const startMs = performance.now();
  const operating = program.ask(`operate ${WORKERS}`);
  const taken = await all.active;
  const elapsedMs = performance.now() - startMs;
  await operating;
  return await figuresOf(program, { count, taken, elapsedMs, beforeMs: processCpuMs! });
}

async function figuresOf(
  program: Program,
  { count, taken, elapsedMs, beforeMs }: {
    readonly count: number;
    readonly taken: readonly number[];
    readonly elapsedMs: number;
    readonly beforeMs: number;
  },
): Promise<Measured> {
  const { processCpuMs, peakKb } = await program.ask("figures");
  const at = (share: number): number => taken[Math.floor(taken.length * share)] ?? NaN;
  return {
    p50: at(0.5),
    p99: at(0.99),
    perSecond: count * 1000 / elapsedMs,
    cpuMs: processCpuMs!,
    cpuUs: (processCpuMs! - beforeMs) * 1000 / count,
    peakMb: peakKb! / 1000,
  };
}

/** Measures the whole resident memory of processes that cache many pods, once they are at rest. */
async function memoryRows(
  { quick, say }: BenchContext,
  go: { readonly replay: string; readonly controller: string },
  { rounds, pods }: { readonly rounds: number; readonly pods: number },
): Promise<Row[]> {
  await using server = await ReplayServer.start(go.replay, pods);
  const informer = await bundleProgram("probes/informer.ts", join(server.dir, "informer"));
  const calm = quick ? "settle" : "rest";
  const memoryMb = async (program: Program): Promise<number> => {
    await using running = program;
    await running.ask("sync");
    return rssMb(await running.ask(calm));
  };
  const pairs: Record<"packed" | "compress", Pair[]> = { packed: [], compress: [] };
  for (let round = 0; round < rounds; round++) {
    say(`memory with ${pods} cached pods, round ${round + 1} of ${rounds}`);
    const args = await informerArgs(server, pods);
    const theirs = await memoryMb(new Program(RUNTIME, go.controller, args));
    for (const kind of ["packed", "compress"] as const) {
      const ours = [
        ...await informerArgs(server, pods),
        ...kind === "compress" ? ["--compress"] : [],
      ];
      const program = bundledProgram("ours", informer, ours);
      pairs[kind].push([await memoryMb(program), theirs]);
    }
  }
  const name = `resident memory with ${pods} cached pods`;
  return [
    row(`${name}, against ${RUNTIME}`, "MB", pairs.packed, 0.5),
    row(`${name} and compress, against ${RUNTIME}`, "MB", pairs.compress, 0.3),
  ];
}

/** The time that an operator has to come to rest, in milliseconds: V8 collects within it. */
const REST_MS = 60_000;

/**
 * Measures the resident memory of `kubectl xca run` as it is packaged, without work to do. The
 * first start of a bundle compiles it, and keeps the code for later ones in Deno's cache.
 */
async function restRows(say: (line: string) => void): Promise<Row[]> {
  const name = "kubectl xca run, packaged, at rest: resident memory";
  say("kubectl xca run at rest");
  const cluster = await started();
  if (typeof cluster === "string") return [skippedRow(name, cluster)];
  await using _ = cluster;
  const folder = join(cluster.dir, "plugin");
  await packagePlugin(folder);
  const first = await restMb(cluster, folder);
  const later = await restMb(cluster, folder);
  return [
    row(`${name}, against ${AT_REST_MB} MB`, "MB", [[later, AT_REST_MB]], 1),
    row(`${name} of the first start, against ${AT_REST_MB} MB`, "MB", [[first, AT_REST_MB]]),
  ];
}

/** Returns the resident memory of the packaged plugin's operator at rest, in MB. */
async function restMb(cluster: RealCluster, folder: string): Promise<number> {
  await cluster.removeXcas();
  const child = new Deno.Command(join(folder, "kubectl-xca"), {
    args: ["run", "-A", "--kubeconfig", cluster.kubeconfig],
    cwd: cluster.dir,
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    await cluster.activations(1, PER_SECOND); // It works.
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    const status = await Deno.readTextFile(`/proc/${child.pid}/status`);
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1000;
  } finally {
    child.kill("SIGTERM");
    await child.status;
  }
}
