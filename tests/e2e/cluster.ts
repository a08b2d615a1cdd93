/**
 * The programs that make a cluster of an API server: kube-controller-manager, kube-scheduler, and kwok,
 * which pretends to be the kubelet of each node.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../lib/apimachinery/base/time/clock.ts";
import { delay } from "../../lib/apimachinery/base/time/delay.ts";
import { controlPlaneCacheDir } from "../../lib/testing/plane/control_plane_assets.ts";
import { findFreePort } from "../../lib/testing/free_port.ts";
import { GuardedProcess } from "../../lib/testing/plane/guarded_process.ts";

/** The number of nodes by default. Specs of spreading want at least two. */
const NODES = 4;
const PROGRAMS = ["kube-controller-manager", "kube-scheduler", "kwok"];
/** The time limit for the nodes to become ready, in milliseconds. */
const READY_MS = 120_000;

/** Options for {@linkcode startCluster}. */
export interface ClusterOptions {
  /** The path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** The folder with `ca.crt`, `ca.key` and `service-account.key` of the API server. */
  readonly pki: string;
  /** The folder for logs; removed with the programs when this process dies. */
  readonly folder: string;
  /** The number of nodes. @default {4} */
  readonly nodes?: number;
}

/**
 * Starts the programs beside an API server, creates nodes, and waits until they are ready.
 *
 * @throws {Error} When a program is missing or ends, or the nodes do not become ready.
 */
export async function startCluster(options: ClusterOptions): Promise<AsyncDisposable> {
  const { folder, kubeconfig, nodes: count = NODES, pki } = options;
  const missing = PROGRAMS.filter((name) => !existsSync(join(controlPlaneCacheDir(), name)));
  if (missing.length > 0) {
    throw new Error(
      `Cannot start the cluster: ${
        missing.join(", ")
      } missing in ${controlPlaneCacheDir()}; build ` +
        "with `deno task control-plane:build --cluster` (needs Go)",
    );
  }
  await using stack = new AsyncDisposableStack();
  const start = async (name: string, args: readonly string[]): Promise<GuardedProcess> => {
    const process = stack.use(GuardedProcess.create({
      program: join(controlPlaneCacheDir(), name),
      args: [`--kubeconfig=${kubeconfig}`, ...args],
      logFile: join(folder, `${name}.log`),
      removeOnOrphan: folder,
    }));
    await process.start();
    return process;
  };
  const serving = (name: string): string[] => [
    "--leader-elect=false",
    "--bind-address=127.0.0.1",
    `--secure-port=${findFreePort()}`,
    `--cert-dir=${join(folder, `${name}-certificates`)}`,
  ];
  const kwokConfig = join(folder, "kwok.yaml");
  await Deno.writeTextFile(kwokConfig, "");
  const programs = [
    await start("kube-controller-manager", [
      ...serving("kube-controller-manager"),
      "--controllers=*",
      "--use-service-account-credentials=false",
      `--root-ca-file=${join(pki, "ca.crt")}`,
      `--service-account-private-key-file=${join(pki, "service-account.key")}`,
      `--cluster-signing-cert-file=${join(pki, "ca.crt")}`,
      `--cluster-signing-key-file=${join(pki, "ca.key")}`,
    ]),
    await start("kube-scheduler", serving("kube-scheduler")),
    await start("kwok", [
      `--config=${kwokConfig}`,
      "--manage-all-nodes",
      "--node-lease-duration-seconds=40",
    ]),
  ];
  const nodes = { apiVersion: "v1", kind: "List", items: Array.from({ length: count }, node) };
  await kubectl(options, ["create", "-f", "-"], JSON.stringify(nodes));
  await untilReady(options, count, programs);
  const all = stack.move();
  return { [Symbol.asyncDispose]: () => all[Symbol.asyncDispose]() };
}

function node(_: unknown, index: number): unknown {
  const name = `node-${index}`;
  const amounts = { cpu: "32", memory: "256Gi", pods: "110", "ephemeral-storage": "1Ti" };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: {
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
      },
    },
    status: { allocatable: amounts, capacity: amounts },
  };
}

async function untilReady(
  options: ClusterOptions,
  count: number,
  programs: readonly GuardedProcess[],
): Promise<void> {
  const endsMs = systemClock.monotonicMs() + READY_MS;
  const ready = '{range .items[*]}{.status.conditions[?(@.type=="Ready")].status}{end}' +
    "{.items[*].spec.taints}";
  for (;;) {
    const states = await kubectl(options, ["get", "nodes", "-o", `jsonpath=${ready}`]);
    if (states === "True".repeat(count)) return;
    const running = await Promise.all(programs.map((program) => program.running()));
    if (running.includes(false) || systemClock.monotonicMs() > endsMs) {
      throw new Error(
        `Cannot start the cluster: nodes are ${states}; see the logs in ${options.folder}`,
      );
    }
    await delay(500, { clock: systemClock });
  }
}

async function kubectl(
  { kubeconfig }: ClusterOptions,
  args: readonly string[],
  input = "",
): Promise<string> {
  const process = new Deno.Command("kubectl", {
    args: [`--kubeconfig=${kubeconfig}`, ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { success, stdout, stderr } = await process.output();
  if (!success) {
    throw new Error(`Cannot run kubectl ${args[0]}: ${new TextDecoder().decode(stderr)}`);
  }
  return new TextDecoder().decode(stdout);
}
