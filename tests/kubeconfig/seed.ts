import { type Random, seededRandom } from "../../lib/base/random.ts";

/** Chance for a test: seeded by `XCA_SEED`, else anew at each run, and printed to be repeated. */
export function printedRandom(): { readonly seed: number; readonly random: Random } {
  const seed = Number(Deno.env.get("XCA_SEED") ?? Math.floor(Math.random() * 2 ** 31));
  // deno-lint-ignore no-console -- a failure is repeated by its seed
  console.log(`seed=${seed}`);
  return { seed, random: seededRandom(seed) };
}
