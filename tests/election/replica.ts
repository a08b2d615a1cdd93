/**
 * One replica of an operator that elects its leader, as a program: {@linkcode ReplicaProcess} starts it.
 * It records the start of each write, and takes orders from a file when it gets SIGUSR1: the next write
 * holds the event loop, or the wall clock is moved.
 *
 * @module
 */
import { systemClock } from "../../lib/apimachinery/base/time/clock.ts";
import type { Clock, Timer } from "../../lib/apimachinery/base/time/clock.ts";
import { delay } from "../../lib/apimachinery/base/time/delay.ts";
import { errorText } from "../../lib/apimachinery/base/errors/error_text.ts";
import { ConfigMap, Secret } from "../../lib/apimachinery/meta/builtin.ts";
import type { AdmitOptions } from "../../lib/client/calls/options.ts";
import type { ClientConfig } from "../../lib/client/config/config.ts";
import { createClient } from "../../lib/client/create_client.ts";
import { controllerFor } from "../../lib/controller/definition/controller_builder.ts";
import type { ReconcileContext } from "../../lib/controller/definition/reconciler.ts";
import { defineOperator } from "../../lib/controller/operator/operator.ts";
import { runElectedOperator } from "../../lib/manager/mod.ts";
import type { ReplicaRecord } from "./records.ts";

/** The settings of a replica's process, which it reads from a file when it starts. */
export interface ReplicaSettings {
  /** The client configuration that reaches the API server through the replica's proxy. */
  readonly config: ClientConfig;
  /** The namespace of the replica's objects and Lease. */
  readonly namespace: string;
  /** The name of the replica's process: its identity in the election, and its User-Agent. */
  readonly name: string;
  /** The path of the file to which the replica appends its records. */
  readonly records: string;
  /** The path of the file from which the replica reads its orders. */
  readonly orders: string;
}

/** The orders of a test to a running replica. */
export interface ReplicaOrders {
  /** The error of the replica's wall clock from the order on, in milliseconds. */
  readonly skewMs: number;
  /** The time for which the replica's next write blocks the event loop, in milliseconds. */
  readonly spinMs: number;
  /**
   * Reports whether the replica's event loop is blocked after its next write starts, and not
   * before.
   */
  readonly spinAfterStart: boolean;
}

/** The durations of the replicas' leader election, short so that the test is short. */
export const TIMING = { leaseDurationMs: 3_000, renewDeadlineMs: 2_000, retryPeriodMs: 500 };

/** The interval between two samples of a replica's memory, in milliseconds. */
const SAMPLE_MS = 2_000;

const PREFIX = "task-";

/** A clock whose wall clock may be wrong, and that remembers the true time of its last reading. */
class DeceivedClock implements Clock {
  skewMs = 0;
  readMs = 0;

  now(): Date {
    this.readMs = systemClock.now().getTime();
    return new Date(this.readMs + this.skewMs);
  }

  monotonicMs(): number {
    return systemClock.monotonicMs();
  }

  after(delayMs: number, callback: () => void): Timer {
    return systemClock.after(delayMs, callback);
  }
}

/** The operator replica that runs in this process. */
class Replica {
  readonly #settings: ReplicaSettings;
  readonly #clock = new DeceivedClock();
  readonly #records: Deno.FsFile;
  #spin: ReplicaOrders | undefined;

  constructor(settings: ReplicaSettings) {
    this.#settings = settings;
    this.#records = Deno.openSync(settings.records, { create: true, append: true });
  }

  /** Runs the replica until SIGTERM or the loss of its Lease; returns the exit code. */
  async run(): Promise<number> {
    const { config, name, namespace } = this.#settings;
    const clock = this.#clock;
    using client = createClient({ ...config, userAgent: name }, { clock });
    const operator = defineOperator({
      name: "election",
      controllers: [
        controllerFor(ConfigMap)
          .watches(Secret, ({ name }) => [`${namespace}/${name}`])
          .options({ workers: 4 })
          .reconcile((context) => this.#reconcile(context)),
      ],
    });
    await using running = runElectedOperator(operator, {
      client,
      namespace,
      clock,
      gracePeriodMs: 1_000,
      leaderElection: { name: "election", namespace, identity: name, ...TIMING },
    });
    Deno.addSignalListener("SIGUSR1", () => this.#takeOrders());
    Deno.addSignalListener("SIGTERM", () => void running.stop().catch(() => {}));
    const sampling = new AbortController();
    void this.#sample(sampling.signal);
    try {
      await running.done;
      this.#record({ kind: "end", error: "" });
      return 0;
    } catch (error) {
      this.#record({ kind: "end", error: errorText(error) });
      return 1;
    } finally {
      sampling.abort();
    }
  }

  /** Reconciles a task: writes its wanted text to a Secret, and marks the task as done. */
  async #reconcile({ key, name, namespace, cache, client }: ReconcileContext): Promise<void> {
    if (!name.startsWith(PREFIX)) return;
    const task = cache.get(ConfigMap, key);
    const result = cache.get(Secret, key);
    const want = task?.data?.want;
    if (!task || want === undefined) {
      if (!result) return;
      const { uid, resourceVersion } = result.metadata;
      const preconditions = { uid, resourceVersion };
      return await this.#write(
        "delete",
        `secrets/${name}`,
        (options) => client.delete(Secret, key, { preconditions, ...options }),
      );
    }
    const data = { got: btoa(want) };
    if (!result) {
      await this.#write(
        "create",
        `secrets/${name}`,
        (options) =>
          client.create(Secret, { metadata: { name, namespace }, data }, {
            fieldManager: name, // It names the object in the audit log, which may leave the name of a create out.
            ...options,
          }),
      );
    } else if (result.data?.got !== data.got) {
      await this.#write(
        "update",
        `secrets/${name}`,
        (options) => client.update(Secret, { ...result, data }, options),
      );
    }
    if (task.data?.done === want) return;
    await this.#write(
      "update",
      `configmaps/${name}`,
      (options) => client.update(ConfigMap, { ...task, data: { want, done: want } }, options),
    );
  }

  /** Sends a write of the replica and records each start; blocks the event loop when ordered to. */
  async #write(
    verb: string,
    object: string,
    send: (options: AdmitOptions) => Promise<unknown>,
  ): Promise<void> {
    const spin = this.#spin;
    this.#spin = undefined;
    if (spin && !spin.spinAfterStart) holdEventLoop(spin.spinMs);
    let onStart = (): void => {};
    const started = new Promise<void>((resolve) => onStart = resolve);
    const admit = (): void => {
      // The gate has read the clock in this step; an operating system may pause the process in it.
      const { readMs: checkedMs } = this.#clock;
      const startedMs = systemClock.now().getTime();
      this.#record({ kind: "start", verb, object, checkedMs, startedMs });
      onStart();
    };
    const written = send({ admit });
    if (spin?.spinAfterStart) {
      await Promise.race([started, written.catch(() => {})]);
      holdEventLoop(spin.spinMs);
    }
    await written;
  }

  #takeOrders(): void {
    const orders: ReplicaOrders = JSON.parse(Deno.readTextFileSync(this.#settings.orders));
    this.#clock.skewMs = orders.skewMs;
    if (orders.spinMs > 0) this.#spin = orders;
  }

  #record(record: ReplicaRecord): void {
    this.#records.writeSync(new TextEncoder().encode(`${JSON.stringify(record)}\n`));
  }

  async #sample(signal: AbortSignal): Promise<void> {
    const { gc } = globalThis as { gc?: () => void };
    while (!signal.aborted) {
      await delay(SAMPLE_MS, { signal }).catch(() => {});
      gc?.();
      const { heapUsed, external, rss } = Deno.memoryUsage();
      const ageMs = Math.round(systemClock.monotonicMs());
      this.#record({ kind: "memory", ageMs, heap: heapUsed + external, rss });
    }
  }
}

/** Blocks the event loop for a time, as a reconciler that computes does. */
function holdEventLoop(forMs: number): void {
  const endMs = systemClock.monotonicMs() + forMs;
  while (systemClock.monotonicMs() < endMs);
}

if (import.meta.main) {
  const settings: ReplicaSettings = JSON.parse(Deno.readTextFileSync(Deno.args[0]!));
  Deno.exit(await new Replica(settings).run());
}
