import type { BenchContext } from "./support/context.ts";
import { type Row, row } from "./support/measure.ts";
import { denoProgram, type Program } from "./support/programs.ts";

type Pair = [number, number];

/** The number of admission reviews that wait for their responses at the same time. */
const CONCURRENT = 200;

const AGAINST = "against a bare handler of node:https";

/**
 * Measures a webhook server under concurrent reviews of a Pod, beside a server of `node:https` that
 * only parses the review and allows it. Both are processes of their own, measured in turns.
 */
export async function webhookRows({ quick, say, ...context }: BenchContext): Promise<Row[]> {
  say(`${CONCURRENT} concurrent reviews`);
  await using stack = new AsyncDisposableStack();
  const start = (name: string, script: string): Program =>
    stack.use(denoProgram(name, `probes/${script}.ts`, [name]));
  const [ours, bare] = [start("ours", "webhook"), start("bare", "webhook")];
  const client = start("reviewer", "reviewer");
  const count = CONCURRENT * (quick ? 10 : 30);
  const figures = { p50Us: [] as Pair[], p99Us: [] as Pair[], cpuUs: [] as Pair[] };
  const measure = async (server: Program): Promise<Record<keyof typeof figures, number>> => {
    const { port, cpuMs: before } = await server.ask("figures");
    const { p50Us, p99Us } = await client.ask(`${port} ${CONCURRENT} ${count}`);
    const { cpuMs: after } = await server.ask("figures");
    return { p50Us: p50Us!, p99Us: p99Us!, cpuUs: (after! - before!) * 1_000 / count };
  };
  const rounds = context.rounds ?? (quick ? 5 : 11);
  for (let round = -3; round < rounds; round++) {
    const [mine, theirs] = [await measure(ours), await measure(bare)];
    if (round < 0) continue;
    for (const name of Object.keys(figures) as (keyof typeof figures)[]) {
      figures[name].push([mine[name], theirs[name]]);
    }
  }
  const what = `a review among ${CONCURRENT}`;
  return [
    row(`${what}: p99, ${AGAINST}`, "us", figures.p99Us, 1.5),
    row(`${what}: p50, ${AGAINST}`, "us", figures.p50Us),
    row(`${what}: CPU, ${AGAINST}`, "us", figures.cpuUs),
  ];
}
