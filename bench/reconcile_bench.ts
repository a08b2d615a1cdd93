import { runOperator, type RunOperatorOptions } from "../lib/controller/operator/run_operator.ts";
import { controllerFor } from "../lib/controller/definition/controller_builder.ts";
import { defineOperator } from "../lib/controller/operator/operator.ts";
import type { ClientMetrics } from "../lib/client/calls/client_metrics.ts";
import { createClient } from "../lib/client/create_client.ts";
import { ConfigMap } from "../lib/apimachinery/meta/builtin.ts";
import { operatorMetrics } from "../lib/manager/metrics/operator_metrics.ts";
import { MetricsRegistry } from "../lib/manager/metrics/registry.ts";
import process from "node:process";
import { managerMetrics } from "../lib/manager/endpoints/manager_servers.ts";
import { createManager } from "../lib/manager/manager.ts";
import type { OperatorHandle } from "../lib/controller/ports/operator_progress.ts";
import { xcaOperator } from "../lib/xca/xca_operator.ts";
import type { BenchContext } from "./support/context.ts";
import { FakeServer } from "./support/fake_server.ts";
import { cpuPer, type Row, row } from "./support/measure.ts";

const OBJECTS = 10_000;
const WARM_UP = 3;
const WORKERS = 4;
/**
 * The number of runs of each Xca object: one that writes its status, and one after the event of
 * that write.
 */
const RUNS_PER_XCA = 2;

/**
 * Measures what metrics add to a reconcile: the CPU time per object, from the bytes of its watch
 * event through the queue to a run that reads it from the API once, with the metrics of
 * controllers, queues and the client and without; and what a whole manager adds to one that writes
 * a status.
 */
export async function reconcileRows(context: BenchContext): Promise<Row[]> {
  const rounds = context.rounds ?? (context.quick ? 7 : 21);
  context.say("reconciles in a manager and without");
  const managed = await managerRows(rounds);
  context.say("reconciles with metrics and without");
  const pairs: [number, number][] = [];
  const added: number[] = [];
  for (let round = -WARM_UP; round < rounds; round++) {
    const off = await cpuPerReconcile({});
    const registry = new MetricsRegistry();
    const { controllers, queues, client } = operatorMetrics(registry);
    const on = await cpuPerReconcile({ metrics: controllers, queueMetrics: queues }, client);
    if (round < 0) continue;
    pairs.push([on, off]);
    added.push(on - off);
  }
  const measured = row("CPU per reconcile with metrics, against without", "us CPU", pairs);
  added.sort((a, b) => a - b);
  const middle = added[added.length >> 1]!;
  return [
    ...managed,
    { ...measured, detail: `${measured.detail}, ${middle.toFixed(2)} more` },
    updatesRow(rounds),
  ];
}

/**
 * Measures what a manager adds to the two runs of an Xca object, of which one writes the status:
 * the same operator by `runOperator` alone, and in a manager that leads by a Lease, gates each
 * write and serves metrics. No SDK of OpenTelemetry is registered, so there are no spans.
 */
async function managerRows(rounds: number): Promise<Row[]> {
  const pairs: [number, number][] = [];
  const added: [number, number][] = [];
  for (let round = -WARM_UP; round < rounds; round++) {
    // In turns, so that a drift of the machine or of the heap falls on both.
    const isFirst = round % 2 === 0;
    const before = isFirst ? await cpuInManager() : NaN;
    const alone = await cpuAlone();
    const managed = isFirst ? before : await cpuInManager();
    if (round < 0) continue;
    pairs.push([managed, alone]);
    added.push([(managed - alone) / RUNS_PER_XCA, BUDGET_US]);
  }
  return [
    row("CPU of two runs with one status write, in a manager against without", "us CPU", pairs),
    row("what a manager adds to a run, against what it may add", "us CPU", added, 1),
  ];
}

/** Returns the CPU time per reconciled Xca object of an operator alone, in microseconds. */
async function cpuAlone(): Promise<number> {
  const server = new FakeServer(OBJECTS);
  using client = createClient({ server: "https://example.invalid" }, { fetch: server.fetch });
  await using running = runOperator(xcaOperator, { client, workers: WORKERS });
  await running.ready;
  return await cpuOf(server, running);
}

/**
 * Returns the CPU time per reconciled Xca object of an operator in a manager, with all that a
 * manager does for a run, in microseconds.
 */
async function cpuInManager(): Promise<number> {
  const server = new FakeServer(OBJECTS);
  const metrics = managerMetrics();
  using client = createClient({ server: "https://example.invalid" }, {
    fetch: server.fetch,
    metrics: metrics.client,
  });
  const manager = createManager({
    client,
    name: "bench",
    check: false, // The fake server reviews no access.
    leaderElection: {},
    metricsServer: { bindAddress: "127.0.0.1:0", secure: false, metrics },
    healthServer: { bindAddress: "127.0.0.1:0" },
  });
  const handle = manager.add(xcaOperator, { workers: WORKERS });
  await using running = manager.start();
  await running.ready;
  await handle.ready;
  return await cpuOf(server, handle);
}

/**
 * Creates all objects, and returns the CPU time per object until nothing is left to do, in
 * microseconds.
 */
async function cpuOf(server: FakeServer, handle: OperatorHandle): Promise<number> {
  const before = process.cpuUsage();
  server.create();
  await server.allWritten;
  await handle.settled();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / OBJECTS;
}

/** The CPU time that the manager may add to a reconcile run, in microseconds. */
const BUDGET_US = 15;
const UPDATES = 200_000;

/**
 * Measures the updates of all metrics that one reconcile with one request makes, and nothing else.
 */
function updatesRow(rounds: number): Row {
  const { controllers, queues, client } = operatorMetrics(new MetricsRegistry());
  const [name, method, host] = ["reader", "GET", "example.invalid"];
  const labels = { controller: name };
  const [depth, adds] = [queues.depth(name), queues.adds(name)];
  const [latency, work] = [queues.latency(name), queues.workDuration(name)];
  const pairs: [number, number][] = [];
  for (let round = -WARM_UP; round < rounds; round++) {
    const us = cpuPer(UPDATES, () => {
      for (let index = 0; index < UPDATES; index++) {
        const seconds = (index % 1_000) / 1_000;
        adds.inc();
        depth.inc();
        depth.dec();
        latency.observe(seconds);
        controllers.set("controller_runtime_active_workers", 1, labels);
        client.sent({ method, host, code: "200", seconds, bytes: 0 });
        client.received(method, host, 1_000);
        controllers.set("controller_runtime_active_workers", 0, labels);
        controllers.observe("controller_runtime_reconcile_time_seconds", seconds, labels);
        controllers.increment("controller_runtime_reconcile_total", {
          controller: name,
          result: "success",
        });
        work.observe(seconds);
      }
    });
    if (round >= 0) pairs.push([us, BUDGET_US]);
  }
  return row("metrics of one reconcile, against what a manager may add", "us CPU", pairs, 0.1);
}

type Metrics = Pick<RunOperatorOptions, "metrics" | "queueMetrics">;

/**
 * Returns the CPU time per object of an operator that reconciles each object of a list once, in
 * microseconds.
 */
async function cpuPerReconcile(
  metrics: Metrics,
  clientMetrics?: ClientMetrics,
): Promise<number> {
  const lines = watchLines();
  const fetch = (request: Request): Promise<Response> =>
    Promise.resolve(
      request.url.includes("watch=")
        ? new Response(lines)
        : Response.json({ metadata: { name: "a" } }),
    );
  using client = createClient({ server: "https://example.invalid" }, {
    fetch,
    metrics: clientMetrics,
  });
  const controller = controllerFor(ConfigMap)
    .reconcile(async ({ key, client }) => void await client.get(ConfigMap, key));
  const operator = defineOperator({ name: "reader", controllers: [controller] });
  const before = process.cpuUsage();
  await using running = runOperator(operator, { client, ...metrics });
  await running.settled();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / OBJECTS;
}

function watchLines(): string {
  const events: unknown[] = Array.from({ length: OBJECTS }, (_, index) => ({
    type: "ADDED",
    object: {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        namespace: "default",
        name: `map-${index}`,
        uid: `uid-${index}`,
        resourceVersion: `${index + 1}`,
      },
    },
  }));
  const annotations = { "k8s.io/initial-events-end": "true" };
  const metadata = { resourceVersion: `${OBJECTS}`, annotations };
  events.push({ type: "BOOKMARK", object: { metadata } });
  return events.map((event) => `${JSON.stringify(event)}\n`).join("");
}

if (import.meta.main) {
  const { table } = await import("./support/measure.ts");
  // deno-lint-ignore no-console -- a bench prints its table
  const say = (line: string): void => console.log(line);
  say(table(await reconcileRows({ quick: true, rounds: undefined, go: undefined, say })));
}
