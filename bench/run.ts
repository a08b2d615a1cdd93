/**
 * Runs the benches and prints one table. Each row is a ratio of two things measured in one run: the
 * median of interleaved rounds, with the smallest and largest. Names after `deno task bench` choose
 * rows by file: `deno task bench ingest memory`.
 *
 * @module
 */
import { memoryRows } from "./cache_memory_bench.ts";
import { ingestRows } from "./ingest_bench.ts";
import { type Row, table } from "./measure.ts";

const BENCHES: Record<string, () => Row[] | Promise<Row[]>> = {
  ingest: ingestRows,
  memory: memoryRows,
};

const chosen = Deno.args.length > 0 ? Deno.args : Object.keys(BENCHES);
const unknown = chosen.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  // deno-lint-ignore no-console -- a bench speaks to its user
  console.error(
    `No bench named ${unknown.join(", ")}; there are ${Object.keys(BENCHES).join(", ")}`,
  );
  Deno.exit(2);
}
const rows: Row[] = [];
for (const name of chosen) rows.push(...await BENCHES[name]!());
// deno-lint-ignore no-console -- a bench prints its table
console.log(table(rows));
