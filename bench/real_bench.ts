import { ControlPlaneUnavailable } from "@xca/operator/testing";
import { join } from "node:path";
import { type BenchContext, NO_GO } from "./support/context.ts";
import { type Row, row, skippedRow } from "./support/measure.ts";
import {
  bundledProgram,
  bundleProgram,
  denoProgram,
  type Figures,
  type GoPrograms,
  Program,
} from "./support/programs.ts";
import { RealCluster } from "./support/real_cluster.ts";

type Pair = [number, number];

/** The name of an informer implementation or setting that the bench compares. */
type Kind =
  | "client-go"
  | "controller-runtime"
  | "ours"
  | "ours, by list"
  | "ours, by list without gzip"
  | "ours, compress"
  | "baseline";

const EVENTS_PER_SECOND = 300;
const GO = "client-go (typed, protobuf)";
const RUNTIME = "controller-runtime";
/** The program that reads the bytes of the first state and keeps nothing. */
const BASELINE = "a program that only reads the stream";

/**
 * Measures the informers of this library, client-go and controller-runtime on a real
 * kube-apiserver.
 */
export async function realRows(context: BenchContext): Promise<Row[]> {
  const { go, quick, say } = context;
  if (!go) return [skippedRow("real kube-apiserver", NO_GO)];
  const [pods, events] = quick ? [4_000, 600] : [20_000, 3_000];
  say(`writing ${pods} pods to a real kube-apiserver`);
  let cluster: RealCluster;
  try {
    cluster = await RealCluster.start(pods);
  } catch (error) {
    if (!(error instanceof ControlPlaneUnavailable)) throw error;
    return [skippedRow("real kube-apiserver", error.message.split("\n")[0]!)];
  }
  await using _ = cluster;
  say(`pods of ${Math.round(cluster.podBytes)} bytes`);
  const informer = await bundleProgram("probes/informer.ts", join(cluster.dir, "informer"));
  const bench = new RealBench(cluster, informer, go);
  const rounds = context.rounds ?? (quick ? 1 : 3);
  return await syncRows(bench, { rounds, pods, events, say });
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
    "baseline",
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
    row(`${name}: wall, against ${BASELINE}`, "ms", against("ours", "baseline", "wallMs"), 1.1),
    row(
      `${name}, ${BASELINE}: wall, against ${GO}`,
      "ms",
      against("baseline", "client-go", "wallMs"),
    ),
    ...kinds.slice(2, -1).flatMap((kind) => [
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

/** The bench on a real cluster: runs the compared programs, one at a time. */
class RealBench {
  readonly #cluster: RealCluster;
  /** The path of the bundle of this library's informer. */
  readonly #ours: string;
  readonly #go: GoPrograms;

  constructor(cluster: RealCluster, ours: string, go: GoPrograms) {
    this.#cluster = cluster;
    this.#ours = ours;
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
    if (kind === "baseline") return { sync, watchCpuMs: NaN };
    const followed = program.ask(`follow ${events}`);
    await this.#cluster.changePods(events, EVENTS_PER_SECOND);
    return { sync, watchCpuMs: (await followed).processCpuMs! - sync.processCpuMs! };
  }

  #informer(kind: Kind): Program {
    const args = ["--kubeconfig", this.#cluster.kubeconfig];
    switch (kind) {
      case "client-go":
        return new Program(kind, this.#go.informer, args);
      case "controller-runtime":
        return new Program(kind, this.#go.controller, args);
      case "baseline":
        return denoProgram(kind, "probes/watch_list_floor.ts", [], {
          env: { KUBECONFIG: this.#cluster.kubeconfig },
        });
      default:
        return bundledProgram(kind, this.#ours, [
          ...args,
          ...kind.startsWith("ours, by list") ? ["--list"] : [],
          ...kind.endsWith("without gzip") ? ["--no-gzip"] : [],
          ...kind === "ours, compress" ? ["--compress"] : [],
        ]);
    }
  }
}
