import {
  type Random,
  seededRandom,
  systemRandom,
} from "../../lib/apimachinery/base/time/random.ts";

/**
 * The seed of a randomised test: `XCA_SEED` when it is set, else chance. Printed, so that a failure can
 * be run again.
 */
export function testSeed(): number {
  const seed = Number(Deno.env.get("XCA_SEED") ?? Math.floor(systemRandom.next() * 2 ** 31));
  // deno-lint-ignore no-console -- a failure is repeated by its seed
  console.log(`seed=${seed}`);
  return seed;
}

/** Chance at {@linkcode testSeed}. */
export function printedRandom(): { readonly seed: number; readonly random: Random } {
  const seed = testSeed();
  return { seed, random: seededRandom(seed) };
}
