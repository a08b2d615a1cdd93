import { join } from "node:path";
import { ControlPlane, ControlPlaneUnavailable } from "@xca/operator/testing";
import { xcaCrd } from "@xca/operator/xca";
import { bundle } from "../plugin/bundle.ts";
import { packagePlugin } from "../plugin/package.ts";
import type { BenchContext } from "./support/context.ts";
import { type Row, row, skippedRow } from "./support/measure.ts";

type Pair = [number, number];

const PEERS = [
  { name: "kubectl get xca", command: "get", target: 1.8 },
  {
    name:
      "a bundled program that loads js-yaml and does one mTLS GET by node:https, launched alike",
    command: "floor",
    target: 1.2,
  },
  { name: "the same by fetch, which trusts more roots than the cluster's", command: "fetch" },
] as const;
/**
 * The names of the rows with the lower bounds of a command line on this runtime, against kubectl:
 * no command line does less.
 */
const BOUNDS = {
  floor: "the least program of one mTLS GET by node:https: CPU, against kubectl get xca",
  fetch: "the least program of one mTLS GET by fetch: CPU, against kubectl get xca",
};
const XCAS = "/apis/apps.xca.k8s.kb.cx/v1beta1/namespaces/default/xcas";

/** Measures `kubectl xca status` from its cold start to its end, launched as users launch it. */
export async function startupRows(context: BenchContext): Promise<Row[]> {
  const { quick, say } = context;
  const nameOf = (peer: string, clock: string): string =>
    `kubectl xca status: ${clock}, against ${peer}`;
  const skip = (why: string): Row[] =>
    PEERS.map(({ name }) => skippedRow(nameOf(name, "CPU"), why));
  for (const program of ["kubectl", "bash"]) {
    if (!await isOnPath(program)) return skip(`needs ${program} on PATH`);
  }
  say("starting a control plane for the cold starts");
  let plane: ControlPlane;
  try {
    plane = await ControlPlane.start();
  } catch (error) {
    if (error instanceof ControlPlaneUnavailable) return skip(error.message.split("\n")[0]!);
    throw error;
  }
  await using _plane = plane;
  await createXca(plane);
  const commands = await prepare(plane);
  const pairs = PEERS.map(() => ({ cpu: [] as Pair[], wall: [] as Pair[] }));
  const bounds = { floor: [] as Pair[], fetch: [] as Pair[] };
  const rounds = context.rounds ?? (quick ? 7 : 21);
  say("cold starts");
  for (let round = -2; round < rounds; round++) {
    const ours = await timed(commands.ours);
    const peers = [];
    for (const { command } of PEERS) peers.push(await timed(commands[command]));
    if (round < 0) continue;
    for (const [at, theirs] of peers.entries()) {
      pairs[at]!.cpu.push([ours.cpuMs, theirs.cpuMs]);
      pairs[at]!.wall.push([ours.wallMs, theirs.wallMs]);
    }
    const [get, floor, fetch] = peers;
    bounds.floor.push([floor!.cpuMs, get!.cpuMs]);
    bounds.fetch.push([fetch!.cpuMs, get!.cpuMs]);
  }
  const rows = PEERS.flatMap(({ name, ...peer }, at) => {
    const target = "target" in peer ? peer.target : undefined;
    return [
      row(nameOf(name, "CPU"), "ms", pairs[at]!.cpu, target),
      row(nameOf(name, "wall clock"), "ms", pairs[at]!.wall, target),
    ];
  });
  rows.push(row(BOUNDS.floor, "ms", bounds.floor), row(BOUNDS.fetch, "ms", bounds.fetch));
  return rows;
}

async function isOnPath(program: string): Promise<boolean> {
  try {
    return (await new Deno.Command("sh", { args: ["-c", `command -v ${program}`], stdout: "null" })
      .output()).success;
  } catch {
    return false;
  }
}

async function createXca(plane: ControlPlane): Promise<void> {
  const post = async (path: string, body: unknown): Promise<boolean> => {
    const response = await plane.fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    await response.body?.cancel();
    return response.ok;
  };
  await post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", xcaCrd);
  const xca = { apiVersion: "apps.xca.k8s.kb.cx/v1beta1", kind: "Xca", metadata: { name: "web" } };
  for (let attempt = 0; !await post(XCAS, xca); attempt++) {
    if (attempt === 100) throw new Error("Cannot create an Xca: the API server refuses it");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** A command line and its environment, for a measured start. */
interface Command {
  readonly line: string;
  readonly env: Record<string, string>;
}

async function prepare(
  plane: ControlPlane,
): Promise<Record<"ours" | "get" | "floor" | "fetch", Command>> {
  const ours = join(plane.dir, "bench-plugin");
  await packagePlugin(ours);
  const command = (folder: string, line: string): Command => ({
    line,
    env: {
      PATH: `${folder}:${Deno.env.get("PATH")}`,
      KUBECONFIG: plane.kubeconfigPath,
      HOME: Deno.env.get("HOME") ?? plane.dir,
      KUBECACHEDIR: join(plane.dir, "kubectl-cache"),
    },
  });
  return {
    ours: command(ours, "kubectl xca status"),
    get: command(ours, "kubectl get xca"),
    floor: command(await packageFloor(plane, "status_floor"), "kubectl xca status"),
    fetch: command(await packageFloor(plane, "status_floor_fetch"), "kubectl xca status"),
  };
}

/** Packages a minimal program in place of the plugin's command line, as a baseline. */
async function packageFloor(plane: ControlPlane, program: string): Promise<string> {
  const folder = join(plane.dir, `bench-${program}`);
  const files = join(folder, "kubectl-xca.d");
  await packagePlugin(folder);
  await bundle(join(import.meta.dirname!, `probes/${program}.ts`), files);
  await Deno.rename(join(files, `${program}.js`), join(files, "main.js"));
  return folder;
}

/**
 * Runs a command to its end; returns the CPU time of its process and children, and the wall clock
 * time.
 */
async function timed({ line, env }: Command): Promise<{ cpuMs: number; wallMs: number }> {
  const script = `TIMEFORMAT='%R %U %S'; time ${line}`;
  const { stdout, stderr } = await new Deno.Command("bash", { args: ["-c", script], env }).output();
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  if (!decode(stdout).includes("web")) {
    throw new Error(`Cannot time \`${line}\`: it printed ${decode(stdout)}${decode(stderr)}`);
  }
  const [wall, user, system] = decode(stderr).trim().split("\n").at(-1)!.split(" ").map(Number);
  return { cpuMs: (user! + system!) * 1000, wallMs: wall! * 1000 };
}
