import { join } from "node:path";
import type { V1Deployment } from "@xca/operator/kubernetes-types";
import { Deployment } from "@xca/operator/meta";
import { type Client, createClient, loadConfig } from "@xca/operator/client";
import { ControlPlane } from "@xca/operator/testing";
import { startCluster } from "../../tests/e2e/cluster.ts";

/** The longest time that a cluster may take for a step of a bench, in milliseconds. */
const STEP_MS = 600_000;
/** The number of clock ticks in a second of the times in `/proc`. */
const TICKS = 100;

/** A cluster whose Deployments get pods that run, for benches. */
export class LivingCluster implements AsyncDisposable {
  readonly client: Client;
  readonly #stack: AsyncDisposableStack;

  private constructor(client: Client, stack: AsyncDisposableStack) {
    this.client = client;
    this.#stack = stack;
  }

  /**
   * Starts `kubectl xca serve` of a packaged plugin in a separate process. Resolves when it serves.
   */
  static async ofPlugin(plugin: string, nodes: number): Promise<LivingCluster> {
    await using stack = new AsyncDisposableStack();
    const folder = await temporaryFolder(stack);
    const kubeconfig = join(folder, "kubeconfig");
    const child = new Deno.Command("kubectl", {
      args: ["xca", "serve", `--write-kubeconfig=${kubeconfig}`, `--nodes=${nodes}`],
      env: { PATH: `${plugin}:${Deno.env.get("PATH")}` },
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    stack.defer(async () => {
      child.kill("SIGTERM");
      await child.stdout.cancel().catch(() => {});
      await child.status;
    });
    const reader = child.stdout.getReader();
    const { done } = await reader.read(); // The line `export KUBECONFIG=...` follows the listener.
    reader.releaseLock();
    if (done) throw new Error("Cannot serve: kubectl xca serve ended early");
    const client = stack.use(createClient(await loadConfig({ kubeconfig })));
    return new LivingCluster(client, stack.move());
  }

  /**
   * Starts etcd, kube-apiserver, kube-controller-manager, kube-scheduler, and kwok as the kubelet
   * of all nodes.
   *
   * @throws {Error} When a program is missing or ends.
   */
  static async ofKubernetes(nodes: number): Promise<LivingCluster> {
    await using stack = new AsyncDisposableStack();
    const plane = stack.use(await ControlPlane.start());
    const folder = await temporaryFolder(stack);
    const kubeconfig = plane.kubeconfigPath;
    stack.use(await startCluster({ folder, kubeconfig, nodes, pki: plane.dir }));
    return new LivingCluster(stack.use(createClient(plane.config)), stack.move());
  }

  /** Creates Deployments, and resolves when all of their pods are available. */
  async deploy(prefix: string, count: number, replicas: number): Promise<void> {
    const names = Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
    await Promise.all(
      names.map((name) => this.client.create(Deployment, deployment(name, replicas))),
    );
    const missing = new Set(names);
    const see = ({ metadata: { name }, status }: V1Deployment): void => {
      if (status?.availableReplicas === replicas) missing.delete(name!);
    };
    const options = { namespace: "default", signal: AbortSignal.timeout(STEP_MS) };
    const { items, metadata: { resourceVersion = "" } } = await this.client.list(
      Deployment,
      options,
    );
    items.forEach(see);
    if (missing.size === 0) return;
    const events = this.client.watch(Deployment, { ...options, resourceVersion });
    for await (const { object } of events) {
      see(object);
      if (missing.size === 0) return;
    }
    throw new Error(`The watch of Deployments ended before ${missing.size} were available`);
  }

  /**
   * Waits until the resident memory of all processes of the cluster has not fallen for 40 seconds,
   * since V8 and Go give memory back some half a minute after the last work; returns it, in MB.
   */
  async settledMb(): Promise<number> {
    let least = await this.#residentMb();
    for (let rest = 0; rest < 8; rest++) {
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      const now = await this.#residentMb();
      if (now < 0.99 * least) [least, rest] = [now, -1];
    }
    return await this.#residentMb();
  }

  async #residentMb(): Promise<number> {
    let bytes = 0;
    for (const pid of await descendants(Deno.pid)) bytes += await residentBytes(pid);
    return bytes / 1e6;
  }

  /** Returns the CPU time of all processes of the cluster so far, in seconds. */
  async cpuSeconds(): Promise<number> {
    let ticks = 0;
    for (const pid of await descendants(Deno.pid)) {
      const fields = await statOf(pid);
      ticks += Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
    }
    return ticks / TICKS;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

async function temporaryFolder(stack: AsyncDisposableStack): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "xca-bench-" });
  stack.defer(() => Deno.remove(folder, { recursive: true }).catch(() => {}));
  return folder;
}

function deployment(name: string, replicas: number): V1Deployment {
  const labels = { app: name };
  const containers = [{ name: "app", image: "app:1" }];
  const template = { metadata: { labels }, spec: { containers } };
  return {
    metadata: { name, namespace: "default" },
    spec: { replicas, selector: { matchLabels: labels }, template },
  };
}

/**
 * Returns the fields of `/proc/PID/stat` from the state of the process on; one empty text for a
 * process that has ended.
 */
async function statOf(pid: number): Promise<string[]> {
  const text = await Deno.readTextFile(`/proc/${pid}/stat`).catch(() => "");
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

async function residentBytes(pid: number): Promise<number> {
  const text = await Deno.readTextFile(`/proc/${pid}/status`).catch(() => "");
  return Number(/VmRSS:\s+(\d+) kB/.exec(text)?.[1] ?? 0) * 1024;
}

/** Returns the ids of the processes that a process has started, directly or through others. */
async function descendants(root: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for await (const { name } of Deno.readDir("/proc")) {
    if (/^\d+$/.test(name)) parents.set(Number(name), Number((await statOf(Number(name)))[1] ?? 0));
  }
  const found = new Set([root]);
  for (let size = 0; size !== found.size;) {
    size = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  found.delete(root);
  return [...found];
}
