import { join } from "node:path";
import { ControlPlane, ControlPlaneUnavailable } from "@xca/operator/testing";
import { bundle } from "../plugin/bundle.ts";
import type { BenchContext } from "./support/context.ts";
import { type Row, row, skippedRow } from "./support/measure.ts";
import { denoProgram, type Figures, type Program } from "./support/programs.ts";
import { PodMaker } from "./support/realistic_pods.ts";

type Pair = [number, number];
/** The name of an HTTP client that `probes/request.ts` implements. */
type Way = "ours" | "transport" | "node" | "fetch";

const PODS = "/api/v1/namespaces/default/pods";
const BARE = { transport: "the same transport used bare", node: "node:https used bare" } as const;
const FETCH = "raw fetch + JSON.parse";

/** The programs whose cold starts are compared. */
const COLD = [
  { command: "kubectl", name: "kubectl get --raw", target: 1.8 },
  {
    command: "floor",
    name: "a bundled program that loads js-yaml and does one mTLS GET by node:https",
    target: 1.2,
  },
] as const;

/**
 * Measures cold starts, warm GETs and a list through the client, and the same requests without the
 * client, on a real API server.
 */
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
  const cold = await coldRows(context, plane);
  const pods = quick ? 1_000 : 5_000;
  const name = await createPods(plane, pods);
  await using stack = new AsyncDisposableStack();
  const start = (way: Way): Program =>
    stack.use(denoProgram(way, "probes/request.ts", [way, plane.kubeconfigPath]));
  const ways = { ours: start("ours"), transport: start("transport"), node: start("node") };
  const gets = await getRows(context, ways, name);
  return [
    ...cold,
    ...gets,
    ...await listRows(context, { ours: ways.ours, fetch: start("fetch") }, pods),
  ];
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

/**
 * Measures the whole process of a cold start, from the start of a program to its first response and
 * its end.
 */
async function coldRows(
  { quick, say, ...context }: BenchContext,
  plane: ControlPlane,
): Promise<Row[]> {
  const nameOf = (peer: string, clock: string): string =>
    `cold start to first answer: ${clock}, against ${peer}`;
  const missing = await missingProgram();
  if (missing) {
    return COLD.map(({ name }) => skippedRow(nameOf(name, "CPU"), `needs ${missing} on PATH`));
  }
  say("cold starts to the first answer");
  const flags = ["--quiet", "--no-prompt", "--allow-net", "--allow-read", "--allow-env"];
  const deno = async (probe: string): Promise<string> => {
    const program = probe.replace(/\.ts$/, "");
    const folder = join(plane.dir, program);
    await bundle(join(import.meta.dirname!, "probes", probe), folder);
    return [`'${Deno.execPath()}' run`, ...flags, `--no-config '${folder}/${program}.js'`].join(
      " ",
    );
  };
  const lines = {
    ours: await deno("first_get.ts"),
    floor: await deno("first_get_floor.ts"),
    kubectl: "kubectl get --raw /api/v1/namespaces/default",
  };
  const pairs = COLD.map(() => ({ cpu: [] as Pair[], wall: [] as Pair[] }));
  const rounds = context.rounds ?? (quick ? 7 : 21);
  for (let round = -2; round < rounds; round++) {
    const ours = await timed(lines.ours, plane);
    for (const [at, { command }] of COLD.entries()) {
      const theirs = await timed(lines[command], plane);
      if (round < 0) continue;
      pairs[at]!.cpu.push([ours.cpuMs, theirs.cpuMs]);
      pairs[at]!.wall.push([ours.wallMs, theirs.wallMs]);
    }
  }
  return COLD.flatMap(({ name, target }, at) => [
    row(nameOf(name, "CPU"), "ms", pairs[at]!.cpu, target),
    row(nameOf(name, "wall clock"), "ms", pairs[at]!.wall, target),
  ]);
}

async function missingProgram(): Promise<string | undefined> {
  for (const program of ["kubectl", "bash"]) {
    try {
      const args = [program === "bash" ? "--version" : "--help"];
      await new Deno.Command(program, { args, stdout: "null", stderr: "null" }).output();
    } catch {
      return program;
    }
  }
}

/** Runs a command to its end; returns the CPU time of its process, and the wall clock time. */
async function timed(
  line: string,
  plane: ControlPlane,
): Promise<{ cpuMs: number; wallMs: number }> {
  const { stdout, stderr } = await new Deno.Command("bash", {
    args: ["-c", `TIMEFORMAT='%R %U %S'; time ${line}`],
    env: {
      KUBECONFIG: plane.kubeconfigPath,
      KUBECACHEDIR: join(plane.dir, "kubectl-cache"),
    },
  }).output();
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  if (!decode(stdout).includes("default")) {
    throw new Error(`Cannot time \`${line}\`: it printed ${decode(stdout)}${decode(stderr)}`);
  }
  const [wall, user, system] = decode(stderr).trim().split("\n").at(-1)!.split(" ").map(Number);
  return { cpuMs: (user! + system!) * 1000, wallMs: wall! * 1000 };
}

/** Creates pods through the API, so that the server adds its fields; returns the name of one. */
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
