import { ControlPlaneUnavailable } from "@xca/operator/testing";
import { join } from "node:path";
import { bundle } from "../plugin/bundle.ts";
import { type BenchContext, NO_GO } from "./support/context.ts";
import { type Row, row, skippedRow } from "./support/measure.ts";
import { denoProgram, type Figures, type GoPrograms, Program } from "./support/programs.ts";
import { RealCluster } from "./support/real_cluster.ts";

type Pair = [number, number];

/** The programs that the bench compares: informers and Xca operators. */
type Kind =
  | "client-go"
  | "controller-runtime"
  | "ours"
  | "ours, by list"
  | "ours, by list without gzip"
  | "ours, compress";

/**
 * The V8 flags with which `kubectl xca run` and the image of docs/running_in_a_cluster.md start.
 */
const V8_FLAGS = "--v8-flags=--max-semi-space-size=1,--no-concurrent-recompilation";
/** The arguments of Deno for a bundled operator, as `kubectl xca run` passes them. */
const OPERATOR_ARGS = ["run", "-A", "--quiet", V8_FLAGS, "--no-config"];
const EVENTS_PER_SECOND = 300;
const XCAS_PER_SECOND = 100;
const GO = "client-go (typed, protobuf)";
const RUNTIME = "controller-runtime";

/** Measures informers and operators beside their peers, on a real kube-apiserver. */
export async function realRows(context: BenchContext): Promise<Row[]> {
  const { go, quick, say } = context;
  if (!go) return [skippedRow("real kube-apiserver", NO_GO)];
  const [pods, events, xcas] = quick ? [4_000, 600, 300] : [20_000, 3_000, 3_000];
  say(`writing ${pods} pods to a real kube-apiserver`);
  let cluster: RealCluster;
  try {
    cluster = await RealCluster.start(pods);
  } catch (error) {
    if (!(error instanceof ControlPlaneUnavailable)) throw error;
    return [skippedRow("real kube-apiserver", error.message.split("\n")[0]!)];
  }
  await using _ = cluster;
  await bundle(join(import.meta.dirname!, "probes", "operator.ts"), join(cluster.dir, "operator"));
  say(`pods of ${Math.round(cluster.podBytes)} bytes`);
  const bench = new RealBench(cluster, go);
  const rounds = context.rounds ?? (quick ? 1 : 3);
  return [
    ...await syncRows(bench, { rounds, pods, events, say }),
    ...await reconcileRows(bench, { rounds, xcas, say }),
  ];
}

async function syncRows(
  bench: RealBench,
  { rounds, pods, events, say }: Pick<BenchContext, "say"> & {
    readonly rounds: number;
    readonly pods: number;
    readonly events: number;
  },
): Promise<Row[]> {
  const kinds: Kind[] = [
    "client-go",
    "ours",
    "ours, by list",
    "ours, by list without gzip",
    "ours, compress",
    "controller-runtime",
  ];
  const synced = new Map<Kind, Figures[]>(kinds.map((kind) => [kind, []]));
  const watched = new Map<Kind, number[]>(kinds.map((kind) => [kind, []]));
  for (let round = 0; round < rounds; round++) {
    say(`informers on kube-apiserver, round ${round + 1} of ${rounds}`);
    for (const kind of kinds) {
      const { sync, watchCpuMs } = await bench.informer(kind, events);
      synced.get(kind)!.push(sync);
      watched.get(kind)!.push(watchCpuMs);
    }
  }
  const against = (kind: Kind, peer: Kind, field: string, scale = 1): Pair[] =>
    synced.get(kind)!.map((each, i) => [
      each[field]! / scale,
      synced.get(peer)![i]![field]! / scale,
    ]);
  const watches = (kind: Kind, peer: Kind): Pair[] =>
    watched.get(kind)!.map((each, i) => [each, watched.get(peer)![i]!]);
  const name = `kube-apiserver, sync of ${pods} pods`;
  const live = `kube-apiserver, live watch of ${events} events at ${EVENTS_PER_SECOND}/s`;
  return [
    row(`${name}: CPU, against ${GO}`, "ms", against("ours", "client-go", "processCpuMs"), 0.65),
    row(`${name}: wall, against ${GO}`, "ms", against("ours", "client-go", "wallMs"), 1),
    row(`${name}: resident, against ${GO}`, "MB", against("ours", "client-go", "rssKb", 1e3), 0.65),
    ...kinds.slice(2).flatMap((kind) => [
      row(`${name}, ${kind}: CPU, against ${GO}`, "ms", against(kind, "client-go", "processCpuMs")),
      row(
        `${name}, ${kind}: wall, against ${GO}`,
        "ms",
        against(kind, "client-go", "wallMs"),
        kind === "ours, by list without gzip" ? 1 : undefined,
      ),
      row(
        `${name}, ${kind}: resident, against ${GO}`,
        "MB",
        against(kind, "client-go", "rssKb", 1e3),
        kind === "ours, compress" ? 0.42 : undefined,
      ),
    ]),
    row(`${live}: CPU, against ${GO}`, "ms", watches("ours", "client-go"), 0.75),
    row(`${live}: CPU, against ${RUNTIME}`, "ms", watches("ours", "controller-runtime")),
  ];
}

async function reconcileRows(
  bench: RealBench,
  { rounds, xcas, say }: Pick<BenchContext, "say"> & {
    readonly rounds: number;
    readonly xcas: number;
  },
): Promise<Row[]> {
  const pairs: Record<"p50" | "p99" | "cpuMs" | "peakMb", Pair[]> = {
    ...{ p50: [], p99: [], cpuMs: [], peakMb: [] },
  };
  for (let round = 0; round < rounds; round++) {
    say(`Xca operators on kube-apiserver, round ${round + 1} of ${rounds}`);
    const theirs = await bench.operator("controller-runtime", xcas);
    const ours = await bench.operator("ours", xcas);
    for (const field of Object.keys(pairs) as (keyof typeof pairs)[]) {
      pairs[field].push([ours[field], theirs[field]]);
    }
  }
  const name = `kube-apiserver, ${xcas} Xca at ${XCAS_PER_SECOND}/s`;
  const limitMb: Pair[] = pairs.peakMb.map(([ours]) => [ours, 90]);
  return [
    row(`${name}: p50 from seen to active, against ${RUNTIME}`, "ms", pairs.p50, 1.1),
    row(`${name}: p99 from seen to active, against ${RUNTIME}`, "ms", pairs.p99, 1.2),
    row(`${name}: CPU of the process, against ${RUNTIME}`, "ms", pairs.cpuMs, 0.8),
    row(`${name}: peak of memory, against ${RUNTIME}`, "MB", pairs.peakMb),
    row(`${name}: peak of memory, against 90 MB`, "MB", limitMb, 1),
  ];
}

interface Activated {
  readonly p50: number;
  readonly p99: number;
  readonly cpuMs: number;
  readonly peakMb: number;
}

/** The bench on a real cluster: runs the compared programs, one at a time. */
class RealBench {
  readonly #cluster: RealCluster;
  readonly #go: GoPrograms;

  constructor(cluster: RealCluster, go: GoPrograms) {
    this.#cluster = cluster;
    this.#go = go;
  }

  /**
   * Measures one informer: its sync, from the start of the process, and the CPU of a live watch.
   */
  async informer(
    kind: Kind,
    events: number,
  ): Promise<{ readonly sync: Figures; readonly watchCpuMs: number }> {
    await using program = this.#informer(kind);
    const sync = await program.ask("sync");
    const followed = program.ask(`follow ${events}`);
    await this.#cluster.changePods(events, EVENTS_PER_SECOND);
    return { sync, watchCpuMs: (await followed).processCpuMs! - sync.processCpuMs! };
  }

  /**
   * Measures one Xca operator: the time from the creation of an object to its status, and the cost
   * of the process.
   */
  async operator(kind: "controller-runtime" | "ours", count: number): Promise<Activated> {
    await this.#cluster.removeXcas();
    const args = ["--kubeconfig", this.#cluster.kubeconfig];
    await using program = kind === "ours"
      ? new Program(kind, Deno.execPath(), [
        ...OPERATOR_ARGS,
        join(this.#cluster.dir, "operator", "operator.js"),
        ...args,
      ])
      : new Program(kind, this.#go.controller, args);
    await program.ask("operate");
    const taken = await this.#cluster.activations(count, XCAS_PER_SECOND);
    const { processCpuMs, peakKb } = await program.ask("figures");
    const at = (share: number): number => taken[Math.floor(taken.length * share)]!;
    return { p50: at(0.5), p99: at(0.99), cpuMs: processCpuMs!, peakMb: peakKb! / 1000 };
  }

  #informer(kind: Kind): Program {
    const args = ["--kubeconfig", this.#cluster.kubeconfig];
    switch (kind) {
      case "client-go":
        return new Program(kind, this.#go.informer, args);
      case "controller-runtime":
        return new Program(kind, this.#go.controller, args);
      default:
        return denoProgram(kind, "probes/informer.ts", [
          ...args,
          ...kind.startsWith("ours, by list") ? ["--list"] : [],
          ...kind.endsWith("without gzip") ? ["--no-gzip"] : [],
          ...kind === "ours, compress" ? ["--compress"] : [],
        ], [V8_FLAGS]);
    }
  }
}
