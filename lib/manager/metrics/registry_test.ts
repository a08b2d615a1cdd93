import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { processMetrics } from "./process_metrics.ts";
import { MetricsRegistry } from "./registry.ts";

const CONFIG = fileURLToPath(import.meta.resolve("../../../deno.json"));

Deno.test("registry: counters, gauges and histograms in the text exposition format", () => {
  const registry = new MetricsRegistry();
  const orders = registry.counter({ name: "orders_total", help: "Orders.", labels: ["shop"] });
  orders.with({ shop: "a" }).inc();
  orders.with({ shop: "a" }).inc(2);
  orders.with({ shop: "a" }).inc(-1);
  orders.with({ shop: "a" }).inc(NaN);
  registry.gauge({ name: "depth", help: "Depth." }).with({}).dec(3);
  const time = registry.histogram({ name: "time_seconds", help: "Time.", buckets: [0.1, 1] })
    .with({});
  for (const value of [0.1, 0.5, 2]) time.observe(value);
  assert.equal(
    registry.text(),
    [
      "# HELP depth Depth.",
      "# TYPE depth gauge",
      "depth -3",
      "# HELP orders_total Orders.",
      "# TYPE orders_total counter",
      'orders_total{shop="a"} 3',
      "# HELP time_seconds Time.",
      "# TYPE time_seconds histogram",
      'time_seconds_bucket{le="0.1"} 1',
      'time_seconds_bucket{le="1"} 2',
      'time_seconds_bucket{le="+Inf"} 3',
      "time_seconds_sum 2.6",
      "time_seconds_count 3",
      "",
    ].join("\n"),
  );
});

Deno.test("registry: one declaration is one metric; another under its name is refused", () => {
  const registry = new MetricsRegistry();
  const spec = { name: "a_total", help: "A.", labels: ["b"] } as const;
  assert.equal(registry.counter(spec), registry.counter({ ...spec }));
  assert.throws(() => registry.gauge(spec), /another declaration has its name/);
  assert.throws(() => registry.counter({ ...spec, help: "Other." }), /another declaration/);
  assert.throws(() => registry.collect({ ...spec, type: "counter" }, () => []), /another one/);
});

Deno.test("registry: names, labels and buckets that Prometheus refuses are refused", () => {
  const registry = new MetricsRegistry();
  const help = "";
  for (const name of ["", "1a", "a-b", "ä", "a b", "a\n"]) {
    assert.throws(() => registry.counter({ name, help }), TypeError, name);
  }
  for (const label of ["", "__name__", "a:b", "1", "a\n"]) {
    assert.throws(() => registry.gauge({ name: "a", help, labels: [label] }), TypeError, label);
  }
  assert.throws(() => registry.gauge({ name: "a", help, labels: ["b", "b"] }), /declared twice/);
  const histogram = (buckets: number[], labels: string[] = []): unknown =>
    registry.histogram({ name: "h", help, buckets, labels });
  for (const buckets of [[], [1, 1], [2, 1], [Infinity], [NaN]]) {
    assert.throws(() => histogram(buckets), /buckets must be finite and ascend/);
  }
  assert.throws(() => histogram([1], ["le"]), /cannot be a label of a histogram/);
});

Deno.test("I30 registry: series above the maximum are counted and not shown", () => {
  const registry = new MetricsRegistry({ maxSeries: 2 });
  const users = registry.counter({ name: "users_total", help: "", labels: ["user"] });
  for (const user of ["a", "b", "c", "d", "c"]) users.with({ user }).inc();
  const more = registry.counter({ name: "more_total", help: "", labels: ["user"] });
  for (const user of ["a", "b", "c"]) more.with({ user }).inc();
  const text = registry.text();
  assert.deepEqual(text.match(/^users_total.*$/gm), [
    'users_total{user="a"} 1',
    'users_total{user="b"} 1',
  ]);
  assert.match(text, /^xca_metrics_dropped_series_total\{metric="users_total"\} 3$/m);
  assert.match(text, /^xca_metrics_dropped_series_total\{metric="more_total"\} 1$/m);
  users.remove({ user: "a" });
  users.with({ user: "e" }).inc();
  assert.match(registry.text(), /^users_total\{user="e"\} 1$/m);
});

Deno.test("registry: a collected metric that cannot be read spoils no other, and is counted", () => {
  const registry = new MetricsRegistry();
  const spec = { name: "broken", help: "", type: "gauge" } as const;
  registry.collect(spec, () => assert.fail("no figures"));
  registry.collect({ name: "good", help: "", type: "gauge", labels: ["a"] }, () => [
    [{ a: "1" }, 1],
    [{ a: "1" }, 2],
  ]);
  const text = registry.text();
  assert.doesNotMatch(text, /^broken/m);
  assert.match(text, /^good\{a="1"\} 2$/m);
  assert.doesNotMatch(text, /^good\{a="1"\} 1$/m);
  assert.match(text, /^xca_metrics_collect_errors_total\{metric="broken"\} 1$/m);
});

Deno.test("registry: the figures of the process are positive", () => {
  const registry = new MetricsRegistry();
  processMetrics(registry);
  const text = registry.text();
  for (const name of ["cpu_seconds_total", "resident_memory_bytes", "start_time_seconds"]) {
    const [, value] = new RegExp(`^process_${name} (\\S+)$`, "m").exec(text) ?? [];
    assert(Number(value) > 0, name);
  }
});

const FROM_FILES = [
  ...["open_fds", "max_fds", "virtual_memory_bytes", "virtual_memory_max_bytes"],
  ...["network_receive_bytes_total", "network_transmit_bytes_total"],
].map((name) => `process_${name}`);

Deno.test({
  name: "registry: on Linux, a process with all permissions shows its files, limits and network",
  ignore: Deno.build.os !== "linux",
  fn() {
    const registry = new MetricsRegistry();
    processMetrics(registry);
    const figureOf = (name: string): number =>
      Number(new RegExp(`^${name} (\\S+)$`, "m").exec(registry.text())?.[1]);
    for (const name of FROM_FILES) assert(figureOf(name) >= 0, name);
    assert(figureOf("process_open_fds") < figureOf("process_max_fds"));
    assert(figureOf("process_virtual_memory_bytes") > figureOf("process_resident_memory_bytes"));
  },
});

Deno.test({
  name: "registry: on Linux, the open files are counted",
  ignore: Deno.build.os !== "linux",
  async fn() {
    // In a process of its own: the runtime may close sockets of earlier tests in this one.
    const program = `
      import { processMetrics } from ${JSON.stringify(import.meta.resolve("./process_metrics.ts"))};
      import { MetricsRegistry } from ${JSON.stringify(import.meta.resolve("./registry.ts"))};
      const registry = new MetricsRegistry();
      processMetrics(registry);
      const count = () => Number(/^process_open_fds (\\S+)$/m.exec(registry.text())?.[1]);
      const before = count();
      for (let i = 0; i < 10; i++) Deno.openSync(${JSON.stringify(import.meta.filename)});
      console.log(count() - before);
    `;
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", "--ext=ts", "--no-lock", `--config=${CONFIG}`, program],
    }).output();
    assert.equal(new TextDecoder().decode(stdout), "10\n");
  },
});

Deno.test("registry: a scrape reads each file of /proc once, and the next one reads it again", () => {
  const registry = new MetricsRegistry();
  let usages = 0;
  processMetrics(registry, () => {
    usages++;
    return { cpuSeconds: usages, residentBytes: usages, heapUsedBytes: usages, startSeconds: 1 };
  });
  const { readTextFileSync } = Deno;
  const read: string[] = [];
  Deno.readTextFileSync = (path, ...options) => {
    read.push(String(path));
    return readTextFileSync(path, ...options);
  };
  try {
    for (let scrape = 1; scrape <= 3; scrape++) {
      read.length = 0;
      const text = registry.text();
      for (const name of ["process_cpu_seconds_total", "xca_process_heap_used_bytes"]) {
        assert.match(text, new RegExp(`^${name} ${scrape}$`, "m"));
      }
      assert.deepEqual([usages, read.length, new Set(read).size], [scrape, 3, 3], read.join());
    }
  } finally {
    Deno.readTextFileSync = readTextFileSync;
  }
});

Deno.test({
  name: "registry: a process that may not read /proc shows no figures of it, and no failure",
  permissions: { read: true },
  fn() {
    const registry = new MetricsRegistry();
    processMetrics(registry);
    const text = registry.text();
    for (const name of FROM_FILES) assert.doesNotMatch(text, new RegExp(`^${name}`, "m"));
    assert.doesNotMatch(text, /^xca_metrics_collect_errors_total\{/m);
    assert.match(text, /^process_cpu_seconds_total /m);
  },
});
