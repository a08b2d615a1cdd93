/**
 * The longer run of the differential: random sequences until the time is over, each difference shrunk
 * and printed as it would stand in `kept.json`.
 *
 * ```sh
 * deno task differential --minutes=10 --seed=1 --length=200
 * ```
 *
 * @module
 */
import { parseArgs } from "node:util";
import { compare, isByChance, shrink } from "./compare.ts";
import { makeSequence } from "./make.ts";
import { prepare } from "./play.ts";
import { Servers } from "../servers.ts";
import { Target } from "../target.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
    length: { type: "string", default: "200" },
    /** The number of differences after which the run ends. */
    most: { type: "string", default: "10" },
  },
});

await using servers = new Servers({});
const pair = { real: await servers.real(), embedded: await servers.embedded() };
await prepare(new Target("kube-apiserver", pair.real, "prepare"));
await prepare(new Target("embedded", pair.embedded, "prepare"));

const end = performance.now() + Number(values.minutes) * 60_000;
const firstSeed = Number(values.seed);
let played = 0;
let operations = 0;
let different = 0;
let byChance = 0;
print(`differential of ${values.minutes} minutes, seed=${firstSeed}`);
while (performance.now() < end && different < Number(values.most)) {
  const seed = firstSeed + played++;
  const sequence = makeSequence(seed, Number(values.length));
  operations += sequence.operations.length;
  const first = await compare(pair, sequence);
  if (first === undefined) continue;
  if (await isByChance(pair, sequence, first)) {
    byChance++;
    continue;
  }
  different++;
  const small = await shrink(pair, sequence);
  const difference = await compare(pair, small);
  print(`"seed ${seed}": ${JSON.stringify(small)}`);
  print(`  kube-apiserver: ${JSON.stringify(difference?.real)}`);
  print(`  embedded:       ${JSON.stringify(difference?.embedded)}`);
}
print(`${played} sequences, ${operations} operations, ${different} of the sequences differ`);
print(`${byChance} differed by chance: the real server answered the same at another time`);
if (different > 0) Deno.exitCode = 1;

function print(line: string): void {
  // deno-lint-ignore no-console -- what the program is for
  console.log(line);
}
