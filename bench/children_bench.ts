import { controllerFor } from "../lib/controller/definition/controller_builder.ts";
import { defineOperator } from "../lib/controller/operator/operator.ts";
import { runOperator } from "../lib/controller/operator/run_operator.ts";
import type { CacheReader } from "../lib/cache/mod.ts";
import type { Client } from "../lib/client/mod.ts";
import { ConfigMap, Secret } from "../lib/apimachinery/meta/builtin.ts";
import { ApiServer, clientOf } from "../lib/testing/mod.ts";
import type { BenchContext } from "./support/context.ts";
import { type Row, row } from "./support/measure.ts";

const PARENTS = 1_000;
/** The limit of the time in which all parents find their children, in milliseconds. */
const BUDGET_MS = 200;

/** A function by which the reconcile run of a parent reads its children from the cache. */
type Read = (cache: CacheReader, parent: string) => Promise<readonly unknown[]>;

/**
 * Measures the time in which an operator finds the children of 1 000 parents among 1 000 objects,
 * from the first run until all are done: by an index of the source, and by a label selector, which
 * examines all objects.
 */
export async function childrenRows(context: BenchContext): Promise<Row[]> {
  context.say("children of 1 000 parents");
  using server = await ApiServer.start();
  using client = clientOf(server);
  for (let at = 0; at < PARENTS; at++) {
    await client.create(ConfigMap, { metadata: { name: `parent-${at}` } });
    const labels = { parent: `parent-${at}` };
    await client.create(Secret, { metadata: { name: `child-${at}`, labels } });
  }
  const rounds = context.rounds ?? (context.quick ? 3 : 7);
  const indexed: [number, number][] = [];
  const pairs: [number, number][] = [];
  for (let round = -1; round < rounds; round++) {
    const byIndex = await settled(client, (cache, name) => cache.byIndex(Secret, "parent", name));
    const bySelector = await settled(
      client,
      (cache, name) => cache.list(Secret, { labelSelector: `parent=${name}` }),
    );
    if (round < 0) continue;
    indexed.push([byIndex, BUDGET_MS]);
    pairs.push([byIndex, bySelector]);
  }
  return [
    row("1 000 parents find their children by an index, against 0.2 s", "ms", indexed, 1),
    row("the same, against a list with a label selector", "ms", pairs),
  ];
}

/** Returns the time from the first run until every parent has read its child, in milliseconds. */
async function settled(client: Client, read: Read): Promise<number> {
  let found = 0;
  let startMs = 0;
  const controller = controllerFor(ConfigMap)
    .owns(Secret, { indexes: { parent: ({ labels }) => [labels.parent ?? ""] } })
    .reconcile(async ({ cache, name }) => {
      startMs ||= performance.now();
      found += (await read(cache, name)).length;
    });
  const operator = defineOperator({ name: "parents", controllers: [controller] });
  await using running = runOperator(operator, { client, namespace: "default" });
  await running.settled();
  if (found !== PARENTS) throw new Error(`${found} of ${PARENTS} children were found`);
  return performance.now() - startMs;
}

if (import.meta.main) {
  const { table } = await import("./support/measure.ts");
  // deno-lint-ignore no-console -- a bench prints its table
  const say = (line: string): void => console.log(line);
  say(table(await childrenRows({ quick: true, rounds: undefined, go: undefined, say })));
}
