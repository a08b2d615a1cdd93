/**
 * The table of metrics in `docs/observability.md`, compared with the registry. `XCA_UPDATE=1` writes the
 * table anew.
 *
 * @module
 */
import assert from "node:assert/strict";
import { informerMetrics } from "../../lib/manager/metrics/informer_metrics.ts";
import { operatorMetrics } from "../../lib/manager/metrics/operator_metrics.ts";
import { measureEventLoopLag, processMetrics } from "../../lib/manager/metrics/process_metrics.ts";
import { MetricsRegistry } from "../../lib/manager/metrics/registry.ts";
import { FakeClock } from "../../lib/testing/fake_clock.ts";

const page = new URL("../../docs/observability.md", import.meta.url);
const HEAD = "| name | type | labels | meaning |";

/** Returns the rows of the documented table of metrics that the registry declares. */
function declared(): string[] {
  const registry = new MetricsRegistry();
  operatorMetrics(registry);
  processMetrics(registry);
  informerMetrics(registry, () => []);
  measureEventLoopLag(registry, new FakeClock())[Symbol.dispose]();
  return registry.specs.map(({ name, type, labels = [], help }) => {
    const shown = labels.map((label) => `\`${label}\``).join(", ");
    return rowOf([`\`${name}\``, type, shown, help.replaceAll("<error>", "`<error>`")]);
  });
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Returns the rows of the table of metrics in a page, without the blanks that align columns. */
function documented(text: string): { readonly start: number; readonly rows: string[] } {
  const lines = text.split("\n").map((line) =>
    line.startsWith("|") ? rowOf(line.slice(1, -1).split("|").map((cell) => cell.trim())) : line
  );
  const start = lines.indexOf(HEAD);
  assert(start >= 0, `docs/observability.md has no table ${HEAD}`);
  const length = lines.slice(start).findIndex((line) => !line.startsWith("|"));
  return { start, rows: lines.slice(start, start + length) };
}

Deno.test("documentation: the table of metrics in docs/observability.md is that of the registry", async () => {
  const text = await Deno.readTextFile(page);
  const { start, rows } = documented(text);
  if (Deno.env.get("XCA_UPDATE") === "1") {
    const lines = text.split("\n");
    lines.splice(start + 2, rows.length - 2, ...declared());
    await Deno.writeTextFile(page, lines.join("\n"));
    return;
  }
  assert.deepEqual(rows.slice(2), declared());
});

/**
 * The names of the metrics that a program of controller-runtime v0.25 can expose (all metrics of its
 * registry, those of the REST client that are off by default too), without those of Go's runtime.
 */
const CONTROLLER_RUNTIME = [
  "certwatcher_read_certificate_errors_total",
  "certwatcher_read_certificate_total",
  "controller_runtime_active_workers",
  "controller_runtime_client_consistency_wait_duration_seconds",
  "controller_runtime_conversion_webhook_panics_total",
  "controller_runtime_max_concurrent_reconciles",
  "controller_runtime_reconcile_errors_total",
  "controller_runtime_reconcile_panics_total",
  "controller_runtime_reconcile_time_seconds",
  "controller_runtime_reconcile_timeouts_total",
  "controller_runtime_reconcile_total",
  "controller_runtime_terminal_reconcile_errors_total",
  "controller_runtime_webhook_latency_seconds",
  "controller_runtime_webhook_panics_total",
  "controller_runtime_webhook_requests_in_flight",
  "controller_runtime_webhook_requests_total",
  "leader_election_master_status",
  "leader_election_slowpath_total",
  "process_cpu_seconds_total",
  "process_max_fds",
  "process_network_receive_bytes_total",
  "process_network_transmit_bytes_total",
  "process_open_fds",
  "process_resident_memory_bytes",
  "process_start_time_seconds",
  "process_virtual_memory_bytes",
  "process_virtual_memory_max_bytes",
  "rest_client_dns_resolution_duration_seconds",
  "rest_client_rate_limiter_duration_seconds",
  "rest_client_request_duration_seconds",
  "rest_client_request_retries_total",
  "rest_client_request_size_bytes",
  "rest_client_requests_total",
  "rest_client_response_size_bytes",
  "workqueue_adds_total",
  "workqueue_depth",
  "workqueue_longest_running_processor_seconds",
  "workqueue_queue_duration_seconds",
  "workqueue_retries_total",
  "workqueue_unfinished_work_seconds",
  "workqueue_work_duration_seconds",
];

Deno.test("documentation: each metric of controller-runtime is in the registry, or absent for a stated reason", async () => {
  const lines = (await Deno.readTextFile(page)).split("\n");
  const head = lines.findIndex((line) => /^\| name +\| reason +\|$/.test(line));
  const rest = lines.slice(head + 2);
  const absent = rest.slice(0, rest.findIndex((line) => !line.startsWith("|")))
    .flatMap((line) => /^\| `([a-z_]+)`/.exec(line)?.[1] ?? []);
  const shown = declared().map((row) => /`([a-z_]+)`/.exec(row)![1]);
  const missing = CONTROLLER_RUNTIME.filter((name) => !shown.includes(name));
  assert.deepEqual(missing, absent);
});
