// deno-lint-ignore-file no-console -- a bench speaks to its user
/**
 * The program that runs the benches and prints one table. Each row is a ratio of two figures
 * measured in one run: the median of interleaved rounds, with the smallest and largest; see
 * `bench/README.md`.
 *
 * ```sh
 * deno task bench                  # all rows: about three quarters of an hour
 * deno task bench --quick          # a short form: figures less sure
 * deno task bench queue ingest     # some rows
 * deno task bench --rounds=9       # more rounds
 * deno task bench --strict         # exit code 1 when a target is missed
 * ```
 *
 * @module
 */
import { parseArgs } from "node:util";
import { apiserverRows } from "./apiserver_bench.ts";
import { memoryRows } from "./cache/cache_memory_bench.ts";
import { cacheScaleRows } from "./cache/cache_scale_bench.ts";
import { childrenRows } from "./children_bench.ts";
import { clusterRows } from "./cluster_bench.ts";
import { type BenchContext, benchContext } from "./support/context.ts";
import { holdRows } from "./hold_bench.ts";
import { informerRows } from "./informer_bench.ts";
import { ingestRows } from "./ingest_bench.ts";
import { isMet, type Row, table } from "./support/measure.ts";
import { operatorRows } from "./operator_bench.ts";
import { projectRows } from "./project_bench.ts";
import { realRows } from "./real_bench.ts";
import { reconcileRows } from "./reconcile_bench.ts";
import { requestRows } from "./request_bench.ts";
import { schemaTypesRows } from "./schema_types_bench.ts";
import { startupRows } from "./startup_bench.ts";
import { validationRows } from "./validation_bench.ts";
import { virtualRows } from "./virtual_bench.ts";
import { webhookRows } from "./webhook_bench.ts";
import { workqueueRows } from "./workqueue_bench.ts";

const BENCHES: Record<string, (context: BenchContext) => Row[] | Promise<Row[]>> = {
  real: realRows,
  operator: operatorRows,
  ingest: ingestRows,
  informer: informerRows,
  scale: cacheScaleRows,
  memory: memoryRows,
  queue: workqueueRows,
  startup: startupRows,
  request: requestRows,
  reconcile: reconcileRows,
  children: childrenRows,
  apiserver: apiserverRows,
  hold: holdRows,
  types: schemaTypesRows,
  validation: validationRows,
  webhook: webhookRows,
  project: projectRows,
  cluster: clusterRows,
  virtual: virtualRows,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    rounds: { type: "string" },
    strict: { type: "boolean", default: false },
  },
});
/** The names of benches that the short form leaves out, since they generate all pods ten times. */
const LONG = ["memory"];
const wanted = Object.keys(BENCHES).filter((name) => !values.quick || !LONG.includes(name));
const chosen = positionals.length > 0 ? positionals : wanted;
const unknown = chosen.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(
    `No bench named ${unknown.join(", ")}; there are ${Object.keys(BENCHES).join(", ")}`,
  );
  Deno.exit(2);
}
const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
const context = await benchContext({ quick: values.quick, rounds });
const results: Row[] = [];
for (const name of chosen) results.push(...await BENCHES[name]!(context));
console.log(table(results));
if (values.strict && results.some((row) => isMet(row) === false)) Deno.exit(1);
