import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ClientConfig } from "../../lib/client/config/config.ts";
import { FaultProxy } from "../../lib/testing/faults/fault_proxy.ts";
import { GuardedProcess } from "../../lib/testing/plane/guarded_process.ts";
import { parseRecords, type ReplicaRecord } from "./records.ts";
import type { ReplicaOrders, ReplicaSettings } from "./replica.ts";

/** Options for {@linkcode ReplicaProcess.create}. */
export interface ReplicaProcessOptions {
  /** The name of the replica; each of its processes adds a number. */
  readonly name: string;
  /** The folder for the files of the replica. */
  readonly dir: string;
  /** The namespace of the replica's objects and Lease. */
  readonly namespace: string;
  /** The client configuration of the API server, without the replica's proxy. */
  readonly config: ClientConfig;
}

/** One replica of an operator: one `deno` process after another, behind a proxy of its own. */
export class ReplicaProcess implements AsyncDisposable {
  /** The name of the replica. */
  readonly name: string;
  /** The proxy between the replica and the API server. */
  readonly proxy: FaultProxy;
  /** The process ids of all processes of the replica so far. */
  readonly pids: number[] = [];
  /** Reports whether the replica starts again when its process has ended. */
  restarts = true;
  readonly #options: ReplicaProcessOptions;
  readonly #process: GuardedProcess;
  readonly #settings: string;

  private constructor(options: ReplicaProcessOptions) {
    const { name, dir, config } = options;
    this.name = name;
    this.#options = options;
    this.proxy = FaultProxy.start({ target: config.server });
    this.#settings = join(dir, `${name}.settings.json`);
    this.#process = GuardedProcess.create({
      program: Deno.execPath(),
      args: [
        "run",
        "--allow-all",
        "--no-check",
        "--v8-flags=--expose-gc",
        fileURLToPath(new URL("replica.ts", import.meta.url)),
        this.#settings,
      ],
      logFile: join(dir, `${name}.log`),
      removeOnOrphan: dir,
    });
  }

  /** Creates a replica whose first process {@linkcode ReplicaProcess.ensure} starts. */
  static create(options: ReplicaProcessOptions): ReplicaProcess {
    return new ReplicaProcess(options);
  }

  /** Starts the replica's next process, unless one runs or restarts are off. */
  async ensure(): Promise<void> {
    if (!this.restarts || await this.#process.running()) return;
    const { dir, namespace, config } = this.#options;
    const name = `${this.name}.${this.pids.length + 1}`;
    const settings: ReplicaSettings = {
      config: { ...config, server: this.proxy.urlOf(config.server) },
      namespace,
      name,
      records: join(dir, `${name}.records`),
      orders: this.#orders,
    };
    Deno.writeTextFileSync(this.#settings, JSON.stringify(settings), { mode: 0o600 });
    await this.#process.start();
    this.pids.push(this.#process.pid!);
  }

  /** Reports whether a process name, such as the holder of a Lease, belongs to this replica. */
  owns(process: string): boolean {
    return process.startsWith(`${this.name}.`);
  }

  /** Reports whether the replica's process is running. */
  running(): Promise<boolean> {
    return this.#process.running();
  }

  /** Sends a signal to the replica's process. */
  signal(signal: "TERM" | "STOP" | "CONT"): Promise<void> {
    return this.#process.signal(signal);
  }

  /** Kills the replica's process. */
  kill(): Promise<void> {
    return this.#process.kill();
  }

  /** Sends orders to the replica's process, if one runs that has recorded anything. */
  order(orders: Partial<ReplicaOrders>): void {
    const all: ReplicaOrders = { skewMs: 0, spinMs: 0, spinAfterStart: false, ...orders };
    Deno.writeTextFileSync(this.#orders, JSON.stringify(all));
    const { pid } = this.#process;
    // A process that has not recorded anything yet may not listen, and the signal would end it.
    if (pid === undefined || this.#lastRecords() === "") return;
    try {
      Deno.kill(pid, "SIGUSR1");
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error; // It has ended meanwhile.
    }
  }

  /** Returns the records of all processes of the replica, by name of the process. */
  records(): Map<string, ReplicaRecord[]> {
    const names = this.pids.map((_, index) => `${this.name}.${index + 1}`);
    return new Map(names.map((name) => [name, parseRecords(this.#recordsOf(name))]));
  }

  /** Returns the output of all processes of the replica. */
  log(): string {
    return readText(join(this.#options.dir, `${this.name}.log`));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
    await this.proxy[Symbol.asyncDispose]();
  }

  get #orders(): string {
    return join(this.#options.dir, `${this.name}.orders.json`);
  }

  #lastRecords(): string {
    return this.#recordsOf(`${this.name}.${this.pids.length}`);
  }

  #recordsOf(process: string): string {
    return readText(join(this.#options.dir, `${process}.records`));
  }
}

function readText(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}
