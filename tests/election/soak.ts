/**
 * A long run of {@linkcode runElection}: three replicas of an operator as processes under faults at
 * random, judged by the audit log of the server.
 *
 * ```sh
 * deno task soak:election # ten minutes on the embedded server
 * deno task soak:election --minutes=60 --seed=42 --server=real
 * ```
 *
 * Faults and writes follow from the seed; how fast processes are does not.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { systemClock } from "../../lib/apimachinery/base/time/clock.ts";
import { systemRandom } from "../../lib/apimachinery/base/time/random.ts";
import { ControlPlane } from "../../lib/testing/plane/control_plane.ts";
import { EmbeddedPlane } from "../support/planes/embedded_plane.ts";
import type { Plane } from "../support/planes/plane.ts";
import { runElection } from "./election_run.ts";
import { faultsOf, summaryOf } from "./verdict.ts";

/** The number of decks of faults in one election run; each run has a server of its own. */
const DECKS = 3;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "10" },
      seed: { type: "string" },
      server: { type: "string", default: "embedded" },
    },
  });
  const minutes = Number(values.minutes);
  const seed = Number(values.seed ?? Math.floor(systemRandom.next() * 2 ** 31));
  // deno-lint-ignore no-console
  const print = (line: string): void => console.log(line);
  if (!(minutes > 0) || !Number.isInteger(seed) || !/^(real|embedded)$/.test(values.server)) {
    print(
      "error: --minutes must be above 0, --seed a whole number, and --server real or embedded",
    );
    return 2;
  }
  const endMs = systemClock.monotonicMs() + minutes * 60_000;
  for (let round = 0; round === 0 || systemClock.monotonicMs() < endMs; round++) {
    print(`round ${round + 1} on the ${values.server} server, seed=${seed + round}`);
    await using plane: Plane = values.server === "real"
      ? await ControlPlane.start({ audit: true })
      : await EmbeddedPlane.start({ audit: true });
    const options = { plane, namespace: "election", seed: seed + round, decks: DECKS, print };
    const result = await runElection(options);
    print(summaryOf(result));
    const wrong = faultsOf(result);
    for (const line of wrong) print(`WRONG: ${line}`);
    if (wrong.length > 0) return 1;
  }
  return 0;
}

if (import.meta.main) Deno.exit(await main());
