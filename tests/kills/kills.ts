/**
 * Kills the embedded API server under writers, watchers and readers, starts it again on its data
 * file, and counts the states that somebody saw and that are gone.
 *
 * ```sh
 * deno task kills # a hundred kills
 * deno task kills --kills=1000 --seed=42
 * ```
 *
 * When a kill comes follows from the seed; what is under way at that moment does not.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { systemClock } from "../../lib/apimachinery/base/time/clock.ts";
import { delay } from "../../lib/apimachinery/base/time/delay.ts";
import { seededRandom, systemRandom } from "../../lib/apimachinery/base/time/random.ts";
import { EmbeddedPlane } from "../support/planes/embedded_plane.ts";
import { currentSteps, type Fetch, Round } from "./round.ts";
import { type LostState, SeenStates } from "./seen_states.ts";

const KEYS = 16;
const WITNESSES = 4;
/** The least and the longest life of the server before a kill, in milliseconds. */
const LEAST_MS = 50;
const MOST_MS = 500;

/** Options of {@linkcode runKills}. */
export interface KillsOptions {
  readonly kills: number;
  readonly seed: number;
  /** Called with a line of progress after each kill. */
  readonly print?: (line: string) => void;
}

/** The result of {@linkcode runKills}. */
export interface KillsResult {
  /** Number of writes that were confirmed. */
  readonly writes: number;
  /** The number of observed states. */
  readonly seen: number;
  /** The observed states that were missing after the next start. */
  readonly lost: readonly LostState[];
}

/** Runs the server, kills it and reads the remaining state, a number of times. */
export async function runKills({ kills, seed, print }: KillsOptions): Promise<KillsResult> {
  const random = seededRandom(seed);
  await using plane = await EmbeddedPlane.start();
  const fetch: Fetch = (path, init) => plane.fetch(path, init);
  const seen = new SeenStates();
  const lost: LostState[] = [];
  let writes = 0;
  let steps = new Map(Array.from({ length: KEYS }, (_, index) => [`k${index}`, 0]));
  for (let kill = 1; kill <= kills; kill++) {
    const beganMs = systemClock.monotonicMs();
    const round = new Round(fetch, seen, steps);
    round.start(WITNESSES);
    await delay(LEAST_MS + random.next() * (MOST_MS - LEAST_MS));
    round.killing();
    await plane.killApiserver();
    const tookMs = systemClock.monotonicMs() - beganMs;
    await round.ended();
    await plane.startApiserver();
    const found = await currentSteps(fetch, steps);
    const gone = seen.lost(found);
    lost.push(...gone);
    writes += round.writes;
    print?.(
      `kill ${kill} after ${Math.round(tookMs)} ms: ${round.writes} writes confirmed, ` +
        `${gone.length} states gone ${gone.map((state) => JSON.stringify(state)).join(" ")}`,
    );
    steps = found;
  }
  return { writes, seen: seen.count, lost };
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { kills: { type: "string", default: "100" }, seed: { type: "string" } },
  });
  const kills = Number(values.kills);
  const seed = Number(values.seed ?? Math.floor(systemRandom.next() * 2 ** 31));
  // deno-lint-ignore no-console
  const print = (line: string): void => console.log(line);
  if (!Number.isInteger(kills) || kills < 1 || !Number.isInteger(seed)) {
    print("error: --kills must be a whole number above 0, and --seed a whole number");
    return 2;
  }
  print(`${kills} kills, seed=${seed}`);
  const { writes, seen, lost } = await runKills({ kills, seed, print });
  print(
    `${writes} writes confirmed, ${seen} states seen, ${lost.length} of them gone; seed=${seed}`,
  );
  return lost.length === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main());
