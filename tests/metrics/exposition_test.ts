/**
 * The text exposition of the metrics registry, read by the parser of Prometheus itself: the program in
 * `tests/metrics/exposition_parser`, built with Go.
 *
 * @module
 */
import assert from "node:assert/strict";
import { MetricsRegistry } from "../../lib/manager/metrics/registry.ts";
import { operatorMetrics } from "../../lib/manager/metrics/operator_metrics.ts";
import { processMetrics } from "../../lib/manager/metrics/process_metrics.ts";
import { GO_BUILD } from "../support/command_line/go_build.ts";
import { isOnPath } from "../support/command_line/is_on_path.ts";
import { printedRandom } from "../support/seed.ts";

interface ParsedSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: string;
  readonly count?: number;
  readonly buckets?: Readonly<Record<string, number>>;
}

interface Parsed {
  readonly error?: string;
  readonly families?: Readonly<
    Record<
      string,
      { readonly type: string; readonly help: string; readonly series: ParsedSeries[] }
    >
  >;
}

const program = new URL("./exposition_parser/", import.meta.url).pathname;

/** Returns the metrics that Prometheus' parser reads from each exposition text. */
async function parsed(texts: readonly string[]): Promise<Parsed[]> {
  const child = new Deno.Command("go", {
    args: ["run", ...GO_BUILD.args, "."],
    cwd: program,
    env: GO_BUILD.env,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const output = child.output();
  const writer = child.stdin.getWriter();
  const lines = texts.map((text) => `${JSON.stringify(text)}\n`).join("");
  await writer.write(new TextEncoder().encode(lines));
  await writer.close();
  const { success, stdout, stderr } = await output;
  assert(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim().split("\n").map((line) => JSON.parse(line));
}

const VALUES = [
  "",
  'a"b',
  "back\\slash",
  "new\nline",
  "\\n",
  'end\\"',
  "\r\t\0\x7f",
  "ü 漢 🦊",
  "\ud800",
  "x\udc00y",
  "{a=1}",
  "# HELP a b",
  ",",
  "  ",
  "le",
  "a".repeat(300),
];
const NUMBERS = [0, -0, 1, 0.1, 1e21, 1e-300, 2 ** 53, Infinity, -Infinity, NaN, 5e-324];

/** Returns a metric's help text as Prometheus' parser reads it, without leading blanks. */
function shownHelp(help: string): string {
  return help.toWellFormed().replace(/^[ \t]+/, "");
}

/** Reports whether the text that Go prints for a sample's value is a number. */
function sameNumber(go: string, value: number): boolean {
  const read = go === "+Inf" ? Infinity : go === "-Inf" ? -Infinity : Number(go);
  return Number.isNaN(value) ? go === "NaN" : read === value;
}

Deno.test(
  "I30 Prometheus' parser reads back every label value, help text and number, however hostile",
  { ignore: !isOnPath("go") },
  async () => {
    const { random } = printedRandom();
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)]!;
    const hostile = (): string =>
      Array.from(
        { length: 1 + Math.floor(random.next() * 3) },
        () =>
          random.next() < 0.7
            ? pick(VALUES)
            : String.fromCharCode(Math.floor(random.next() * 65_536)),
      ).join("");
    const expected: { gauges: Map<string, number>; help: string; observed: number[] }[] = [];
    const texts: string[] = [];
    for (let round = 0; round < 40; round++) {
      const registry = new MetricsRegistry();
      const help = hostile();
      const gauges = new Map<string, number>();
      const gauge = registry.gauge({ name: "g", help, labels: ["one", "two"] });
      for (let count = 0; count < 10; count++) {
        const labels = { one: hostile().toWellFormed(), two: hostile().toWellFormed() };
        const value = pick(NUMBERS);
        gauge.with(labels).set(value);
        gauges.set(JSON.stringify([labels.one, labels.two]), value);
      }
      const observed = Array.from({ length: 5 }, () => random.next() * 3);
      const histogram = registry.histogram({ name: "h", help, labels: ["l"], buckets: [1, 2] });
      for (const value of observed) histogram.with({ l: help }).observe(value);
      texts.push(registry.text());
      expected.push({ gauges, help: shownHelp(help), observed });
    }
    for (const [index, { error, families }] of (await parsed(texts)).entries()) {
      const { gauges, help, observed } = expected[index]!;
      assert.equal(error, undefined, texts[index]);
      const { g, h } = families!;
      assert.equal(g!.type, "gauge");
      assert.equal(g!.help, help);
      assert.equal(g!.series.length, gauges.size);
      for (const { labels, value } of g!.series) {
        const wanted = gauges.get(JSON.stringify([labels["one"] ?? "", labels["two"] ?? ""]));
        assert(wanted !== undefined && sameNumber(value, wanted), `${value}, not ${wanted}`);
      }
      const [histogram] = h!.series;
      assert.equal(histogram!.count, observed.length);
      const upTo = (bound: number): number => observed.filter((value) => value <= bound).length;
      assert.deepEqual(histogram!.buckets, { 1: upTo(1), 2: upTo(2), "+Inf": observed.length });
    }
  },
);

Deno.test("metrics: Prometheus' parser reads the metrics of an operator, each with its type", {
  ignore: !isOnPath("go"),
}, async () => {
  const registry = new MetricsRegistry();
  processMetrics(registry);
  const { controllers, queues, client, election } = operatorMetrics(registry);
  controllers.observe("controller_runtime_reconcile_time_seconds", 0.2, { controller: "xca" });
  queues.latency("xca").observe(1e-7);
  client.sent({ method: "GET", host: "[::1]:6443", code: "200", seconds: 0.01, bytes: 0 });
  election.leading("default/xca", true);
  const [answer] = await parsed([registry.text()]);
  assert.equal(answer!.error, undefined);
  const shown = new Map(Object.entries(answer!.families!));
  for (const { name, type } of registry.specs) {
    const family = shown.get(name);
    if (family) assert.equal(family.type, type, name);
  }
  assert.deepEqual(shown.get("leader_election_master_status")!.series, [
    { labels: { name: "xca" }, value: "1" },
  ]);
  assert.equal(shown.get("workqueue_queue_duration_seconds")!.series[0]!.buckets!["1e-07"], 1);
  assert.equal(shown.get("rest_client_requests_total")!.series[0]!.labels["host"], "[::1]:6443");
});
