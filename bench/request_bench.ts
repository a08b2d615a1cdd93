import { ControlPlane, ControlPlaneUnavailable } from "@xca/operator/testing";
import type { BenchContext } from "./context.ts";
import { type Row, row, skippedRow } from "./measure.ts";
import { denoProgram, type Figures, type Program } from "./programs.ts";
import { PodMaker } from "./realistic_pods.ts";

type Pair = [number, number];
/** The ways of `probes/request.ts`. */
type Way = "ours" | "transport" | "node" | "fetch";

const PODS = "/api/v1/namespaces/default/pods";
const BARE = { transport: "the same transport used bare", node: "node:https used bare" } as const;
const FETCH = "raw fetch + JSON.parse";

/** A warm GET and a list through the client, beside the same without it, on a real API server. */
export async function requestRows(context: BenchContext): Promise<Row[]> {
  const { quick, say } = context;
  say("starting a control plane for the requests");
  let plane: ControlPlane;
  try {
    plane = await ControlPlane.start();
  } catch (error) {
    if (!(error instanceof ControlPlaneUnavailable)) throw error;
    return [skippedRow("requests", error.message.split("\n")[0]!)];
  }
  await using _plane = plane;
  const pods = quick ? 1_000 : 5_000;
  const name = await createPods(plane, pods);
  await using stack = new AsyncDisposableStack();
  const start = (way: Way): Program =>
    stack.use(denoProgram(way, "probes/request.ts", [way, plane.kubeconfigPath]));
  const ways = { ours: start("ours"), transport: start("transport"), node: start("node") };
  const gets = await getRows(context, ways, name);
  return [...gets, ...await listRows(context, { ours: ways.ours, fetch: start("fetch") }, pods)];
}

async function getRows(
  { quick, say, ...context }: BenchContext,
  ways: Readonly<Record<"ours" | keyof typeof BARE, Program>>,
  name: string,
): Promise<Row[]> {
  say("GETs");
  const ask = (way: Program): Promise<Figures> => way.ask(`gets ${PODS}/${name} 1000`);
  const peers = Object.keys(BARE) as (keyof typeof BARE)[];
  const figures = peers.map(() => [] as [Figures, Figures][]);
  const rounds = context.rounds ?? (quick ? 3 : 9);
  for (let round = -2; round < rounds; round++) {
    for (const [at, peer] of peers.entries()) {
      const pair: [Figures, Figures] = [await ask(ways.ours), await ask(ways[peer])];
      if (round >= 0) figures[at]!.push(pair);
    }
  }
  return peers.flatMap((peer, at) => {
    const pairs = (field: string): Pair[] =>
      figures[at]!.map(([ours, theirs]) => [ours[field]!, theirs[field]!]);
    const against = `against ${BARE[peer]}`;
    return [
      row(`1000 GETs: CPU, ${against}`, "ms", pairs("cpuMs"), 1.3),
      row(`one warm GET: p50, ${against}`, "us", pairs("p50Us"), 1.3),
      row(`one warm GET: p99, ${against}`, "us", pairs("p99Us"), 1.3),
    ];
  });
}

async function listRows(
  { quick, say, ...context }: BenchContext,
  { ours, fetch }: Readonly<Record<"ours" | "fetch", Program>>,
  pods: number,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const limit of [500, 0]) {
    say(`lists of ${pods} pods`);
    const cpu: Pair[] = [];
    const wall: Pair[] = [];
    const ask = (way: Program): Promise<Figures> => way.ask(`list ${PODS} ${limit}`);
    const rounds = context.rounds ?? (quick ? 5 : 11);
    for (let round = -3; round < rounds; round++) {
      const [mine, theirs] = [await ask(ours), await ask(fetch)];
      if (mine.items !== pods || theirs.items !== pods) throw new Error("A list came short");
      if (round < 0) continue;
      cpu.push([mine.cpuMs!, theirs.cpuMs!]);
      wall.push([mine.wallMs!, theirs.wallMs!]);
    }
    const form = limit === 0 ? "in one answer" : `in pages of ${limit}`;
    rows.push(
      row(`list of ${pods} pods ${form}: CPU, against ${FETCH}`, "ms", cpu, 1.1),
      row(`list of ${pods} pods ${form}: wall clock, against ${FETCH}`, "ms", wall),
    );
  }
  return rows;
}

/** Creates pods as users do, with what the server adds; returns the name of one. */
async function createPods(plane: ControlPlane, count: number): Promise<string> {
  const maker = new PodMaker();
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const { apiVersion, kind, metadata, ...pod } = maker.pod(next++, 1);
      const { name, labels, annotations, ownerReferences } = metadata;
      const response = await plane.fetch(PODS, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          ...{ apiVersion, kind, spec: pod.spec },
          metadata: { name, labels, annotations, ownerReferences },
        }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`Cannot create a pod: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return String(new PodMaker().pod(0, 1).metadata.name);
}
