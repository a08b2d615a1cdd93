import { join } from "node:path";
import { ControlPlane } from "@xca/operator/testing";
import { loadConfig } from "../../lib/client/kubeconfig/load_config.ts";
import { type ConnectionOptions, RawConnection } from "./raw_connection.ts";

/** A running API server that the bench measures, and a client of it, the same for either server. */
export class ApiserverTarget implements AsyncDisposable {
  readonly #options: ConnectionOptions;
  readonly #free: RawConnection[] = [];
  /** The process ids of the measured server. */
  readonly pids: readonly number[];
  readonly #stop: () => Promise<void>;
  /** The time from the start of the server's processes to its first response, in milliseconds. */
  readonly startMs: number;

  private constructor(
    options: ConnectionOptions,
    pids: readonly number[],
    startMs: number,
    stop: () => Promise<void>,
  ) {
    this.#options = options;
    this.pids = pids;
    this.startMs = startMs;
    this.#stop = stop;
  }

  /** Starts kube-apiserver with its etcd. */
  static async real(): Promise<ApiserverTarget> {
    const begun = performance.now();
    const plane = await ControlPlane.start();
    const startMs = performance.now() - begun;
    const { etcd, apiserver } = plane.pids;
    const config = await configOf(plane.kubeconfigPath);
    return new ApiserverTarget(config, [etcd!, apiserver!], startMs, async () => {
      await plane[Symbol.asyncDispose]();
    });
  }

  /**
   * Starts the embedded API server behind its front, in a process of its own: a program that
   * imports it.
   */
  static embedded(): Promise<ApiserverTarget> {
    const program = import.meta.resolve("../probes/embedded.ts");
    return ApiserverTarget.#launch(Deno.execPath(), (kubeconfig) => [
      ...["run", "-A", "--no-check", program, kubeconfig],
    ]);
  }

  /** Starts the embedded API server by `kubectl-xca serve` of the packaged plugin in `folder`. */
  static packaged(folder: string): Promise<ApiserverTarget> {
    return ApiserverTarget.#launch(join(folder, "kubectl-xca"), (kubeconfig) => [
      ...["serve", "--write-kubeconfig", kubeconfig],
    ]);
  }

  /** Starts a server process, and resolves when it prints its first line. */
  static async #launch(
    command: string,
    argsOf: (kubeconfig: string) => readonly string[],
  ): Promise<ApiserverTarget> {
    const folder = await Deno.makeTempDir();
    const kubeconfig = join(folder, "kubeconfig");
    const begun = performance.now();
    const child = new Deno.Command(command, {
      args: [...argsOf(kubeconfig)],
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const lines = child.stdout.getReader();
    await lines.read();
    const startMs = performance.now() - begun;
    const config = await configOf(kubeconfig);
    return new ApiserverTarget(config, [child.pid], startMs, async () => {
      await child.stdin.close();
      child.kill("SIGINT");
      await lines.cancel();
      await child.status;
      await Deno.remove(folder, { recursive: true });
    });
  }

  /**
   * Sends one request to the server, on a free connection.
   *
   * @throws {Error} When the response has no 2xx code.
   */
  async call(method: string, path: string, body?: unknown, type?: string): Promise<void> {
    const connection = this.#free.pop() ?? await RawConnection.open(this.#options);
    const code = await connection.call(method, path, body, type);
    this.#free.push(connection);
    if (code >= 300) throw new Error(`${method} ${path} was answered by ${code}`);
  }

  /**
   * Watches a path of the server; `onData` is called for each event that arrives. Returns a
   * function that stops the watch.
   */
  async watch(path: string, onData: () => void): Promise<() => void> {
    const connection = await RawConnection.open(this.#options);
    connection.stream(path, onData);
    return () => connection.close();
  }

  /** Returns the resident memory of the server's processes, in megabytes. */
  residentMb(): number {
    const kilobytes = this.pids.map((pid) => {
      const status = Deno.readTextFileSync(`/proc/${pid}/status`);
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]);
    });
    return kilobytes.reduce((sum, each) => sum + each, 0) / 1000;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const connection of this.#free) connection.close();
    await this.#stop();
  }
}

async function configOf(kubeconfig: string): Promise<ConnectionOptions> {
  const { server, tls } = await loadConfig({ kubeconfig });
  const { hostname, port } = new URL(server);
  const { caData, certData, keyData } = tls!;
  return { hostname, port: Number(port), ca: caData!, cert: certData!, key: keyData! };
}
