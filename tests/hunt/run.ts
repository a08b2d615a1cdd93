// deno-lint-ignore-file no-console -- a task speaks to its user
/**
 * Hunts for requests that hold the event loop of the embedded API server: random hostile requests, each
 * beside a heartbeat that measures for how long nothing else could run.
 *
 * ```sh
 * deno task hunt # ten minutes
 * deno task hunt --minutes=1 --seed=42 --most=100
 * ```
 *
 * Prints each request that holds the loop for longer than `--most` milliseconds in all of several
 * attempts, with its seed, which alone makes it again: `--minutes=0 --seed=...`.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { ApiServer } from "../../lib/apiserver/mod.ts";
import { systemClock } from "../../lib/apimachinery/base/time/clock.ts";
import { errorText } from "../../lib/apimachinery/base/errors/error_text.ts";
import { seededRandom, systemRandom } from "../../lib/apimachinery/base/time/random.ts";
import { longestHold } from "./heartbeat.ts";
import { type HostileRequest, KNOWN_REQUESTS } from "./known_requests.ts";
import { randomRequest } from "./random_requests.ts";

/** The most attempts at one request: a hold that the machine caused does not recur. */
const ATTEMPTS = 4;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string" },
    most: { type: "string", default: "50" },
    known: { type: "boolean", default: false },
  },
});
const mostMs = Number(values.most);
const minutes = Number(values.minutes);
const first = values.seed === undefined
  ? Math.floor(systemRandom.next() * 2 ** 31)
  : Number(values.seed);
if (![mostMs, minutes, first].every(Number.isFinite)) {
  console.error("Cannot hunt: --minutes, --seed and --most must be numbers");
  Deno.exit(2);
}

/** The shortest of several longest holds, in milliseconds. */
async function holdOf(request: HostileRequest): Promise<number> {
  let leastMs = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && leastMs > mostMs; attempt++) {
    using server = await ApiServer.start();
    await request.prepare(server);
    leastMs = Math.min(leastMs, await longestHold(() => request.run(server)));
  }
  return leastMs;
}

let found = 0;
async function tryOut(request: HostileRequest, seed: string): Promise<void> {
  try {
    const holdMs = await holdOf(request);
    if (holdMs <= mostMs) return;
    found++;
    console.log(`${holdMs.toFixed(0)} ms: ${request.name} (${seed})`);
  } catch (error) {
    found++;
    console.log(`failed: ${request.name} (${seed}): ${errorText(error)}`);
  }
}

const endsMs = systemClock.monotonicMs() + minutes * 60_000;
if (values.known) {
  for (const request of KNOWN_REQUESTS) await tryOut(request, "known");
}
let seed = first;
do {
  await tryOut(randomRequest(seededRandom(seed)), `--seed=${seed}`);
  seed++;
} while (systemClock.monotonicMs() < endsMs);
console.log(`${seed - first} requests from seed ${first} on, ${found} found`);
Deno.exit(found > 0 ? 1 : 0);
