import {
  type Random,
  seededRandom,
  systemRandom,
} from "../../lib/apimachinery/base/time/random.ts";

/**
 * Returns and prints the seed of a random test, so that a failure can be repeated: `XCA_SEED`, or a
 * random number if the variable is not set.
 */
export function testSeed(): number {
  const seed = Number(Deno.env.get("XCA_SEED") ?? Math.floor(systemRandom.next() * 2 ** 31));
  // deno-lint-ignore no-console -- a failure is repeated by its seed
  console.log(`seed=${seed}`);
  return seed;
}

/** Returns a random generator with the seed {@linkcode testSeed}, which it prints. */
export function printedRandom(): { readonly seed: number; readonly random: Random } {
  const seed = testSeed();
  return { seed, random: seededRandom(seed) };
}
