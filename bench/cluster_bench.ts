import { ControlPlaneUnavailable } from "@xca/operator/testing";
import { packagePlugin } from "../plugin/package.ts";
import type { BenchContext } from "./support/context.ts";
import { LivingCluster } from "./support/living_clusters.ts";
import { type Row, row, skippedRow } from "./support/measure.ts";

type Pair = [number, number];

/** The number of nodes of the compared clusters. */
const NODES = 20;
/** The time over which the CPU of an idle cluster is measured, in seconds. */
const IDLE_SECONDS = 30;

const NAMES = {
  first: "kubectl xca serve to a Deployment of 3 available, against Kubernetes with kwok",
  many: "100 Deployments of 10: time to all available, against Kubernetes with kwok",
  memory: "100 Deployments of 10: memory of all processes, against Kubernetes with kwok",
  start: "kubectl xca serve: time to the first answer, in seconds",
  large: "5 000 pods on 50 nodes: seconds to all available",
  idle: "5 000 pods on 50 nodes: idle CPU, of one core",
};

/**
 * Measures the simulated cluster of `kubectl xca serve` beside etcd, kube-apiserver,
 * kube-controller-manager, kube-scheduler and kwok, each from the start of its first process.
 */
export async function clusterRows(context: BenchContext): Promise<Row[]> {
  const { quick, say } = context;
  const plugin = await Deno.makeTempDir({ prefix: "xca-bench-plugin-" });
  try {
    await packagePlugin(plugin);
    await warmUp(plugin);
    const pairs = { first: [] as Pair[], many: [] as Pair[], memory: [] as Pair[] };
    const starts: Pair[] = [];
    const rounds = context.rounds ?? (quick ? 1 : 3);
    for (let round = 0; round < rounds; round++) {
      say(`a simulated cluster and Kubernetes, round ${round + 1} of ${rounds}`);
      const ours = await measure(() => LivingCluster.ofPlugin(plugin, NODES));
      const theirs = await measure(() => LivingCluster.ofKubernetes(NODES));
      pairs.first.push([ours.firstMs, theirs.firstMs]);
      pairs.many.push([ours.manyMs, theirs.manyMs]);
      pairs.memory.push([ours.residentMb, theirs.residentMb]);
      starts.push([ours.startMs, 1000]);
    }
    return [
      row(NAMES.first, "ms", pairs.first, 0.1),
      row(NAMES.many, "ms", pairs.many, 0.5),
      row(NAMES.memory, "MB", pairs.memory, 0.2),
      row(NAMES.start, "ms", starts, 0.3),
      ...quick ? [] : await largeRows(plugin, say),
    ];
  } catch (error) {
    if (!(error instanceof ControlPlaneUnavailable)) throw error;
    const why = error.message.split("\n")[0]!;
    return Object.values(NAMES).map((name) => skippedRow(name, why));
  } finally {
    await Deno.remove(plugin, { recursive: true });
  }
}

/**
 * Runs a cluster of the plugin once. The first process compiles the bundle, and Deno keeps the
 * compiled code for all later ones.
 */
async function warmUp(plugin: string): Promise<void> {
  await using cluster = await LivingCluster.ofPlugin(plugin, 1);
  await cluster.deploy("first", 1, 3);
}

interface Figures {
  readonly startMs: number;
  readonly firstMs: number;
  readonly manyMs: number;
  readonly residentMb: number;
}

async function measure(start: () => Promise<LivingCluster>): Promise<Figures> {
  const beginMs = performance.now();
  await using cluster = await start();
  const startMs = performance.now() - beginMs;
  await cluster.deploy("first", 1, 3);
  const firstMs = performance.now() - beginMs;
  const manyAtMs = performance.now();
  await cluster.deploy("many", 100, 10);
  const manyMs = performance.now() - manyAtMs;
  return { startMs, firstMs, manyMs, residentMb: await cluster.settledMb() };
}

async function largeRows(plugin: string, say: (line: string) => void): Promise<Row[]> {
  say("5 000 pods on 50 nodes");
  await using cluster = await LivingCluster.ofPlugin(plugin, 50);
  const beginMs = performance.now();
  await cluster.deploy("large", 500, 10);
  const seconds = (performance.now() - beginMs) / 1000;
  await new Promise((resolve) => setTimeout(resolve, 10_000)); // collections after the work
  const before = await cluster.cpuSeconds();
  await new Promise((resolve) => setTimeout(resolve, IDLE_SECONDS * 1000));
  const spent = await cluster.cpuSeconds() - before;
  return [
    row(NAMES.large, "s", [[seconds, 1]]),
    row(NAMES.idle, "s", [[spent, IDLE_SECONDS]], 0.05),
  ];
}
