import { type Clock, type Random, seededRandom, systemClock } from "@xca/apimachinery/base";
import type { Fetch } from "../client/transport/fetch.ts";
import { type CallFacts, callFacts } from "./call_facts.ts";
import { checkNumber } from "./check_number.ts";
import type { Fault } from "./faults.ts";

/** Which calls are meant: those whose facts are all as given here, or of which a function says so. */
export type CallFilter = Partial<CallFacts> | ((call: CallFacts, request: Request) => boolean);

/** Options of {@linkcode withFault}. */
export interface FaultOptions {
  /** Which calls the fault may befall. @default {all} */
  readonly when?: CallFilter;
  /** How many calls it befalls at most. @default {no limit} */
  readonly times?: number;
  /** How many of the calls meant are spared first. @default {0} */
  readonly after?: number;
  /** How likely it befalls a call that is meant, from 0 to 1. @default {1} */
  readonly chance?: number;
  /** Where chance comes from. @default {seededRandom(1)} */
  readonly random?: Random;
  /** Where time comes from. @default {systemClock} */
  readonly clock?: Clock;
}

/** A way to a server that has a fault. */
export interface FaultyFetch {
  /** The way. */
  readonly fetch: Fetch;
  /** How many calls were meant so far. */
  readonly meant: number;
  /** How many of them the fault befell. */
  readonly hits: number;
}

/**
 * Puts a fault on the way to a server. Ways are functions, so faults are put one before the other:
 * `withFault(a, withFault(b, fetch).fetch)`.
 *
 * Which calls are meant, how many, and how likely is said in {@linkcode FaultOptions}; with the same
 * seed and the same calls in the same order the same ones are befallen.
 *
 * @throws {RangeError} When one of the numbers cannot be what it is for.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { answerStatus, dropCall, withFault } from "@xca/operator/testing";
 *
 * const server = () => Promise.resolve(new Response("{}"));
 * const busy = withFault(answerStatus({ code: 503 }), server, {
 *   when: { verb: "list", resource: "pods" },
 *   times: 1,
 * });
 * const lossy = withFault(dropCall(), busy.fetch, { when: { verb: "create" } });
 * const pods = new Request("https://server/api/v1/pods");
 * assert.equal((await lossy.fetch(pods)).status, 503);
 * assert.equal((await lossy.fetch(pods)).status, 200);
 * assert.deepEqual([busy.meant, busy.hits, lossy.hits], [2, 1, 0]);
 * ```
 */
export function withFault(fault: Fault, fetch: Fetch, options: FaultOptions = {}): FaultyFetch {
  const { when = {}, times = Infinity, after = 0, chance = 1, clock = systemClock } = options;
  checkNumber("withFault: times", times, { least: 0 });
  checkNumber("withFault: after", after, { least: 0 });
  checkNumber("withFault: chance", chance, { least: 0, most: 1, whole: false });
  const random = options.random ?? seededRandom(1);
  let meant = 0;
  let hits = 0;
  const isMeant = filterOf(when);
  return {
    get meant() {
      return meant;
    },
    get hits() {
      return hits;
    },
    fetch(request) {
      if (!isMeant(callFacts(request), request)) return fetch(request);
      meant++;
      const falls = meant > after && hits < times && random.next() < chance;
      if (!falls) return fetch(request);
      hits++;
      return fault(request, fetch, { clock });
    },
  };
}

function filterOf(filter: CallFilter): (call: CallFacts, request: Request) => boolean {
  if (typeof filter === "function") return filter;
  const entries = Object.entries(filter) as [keyof CallFacts, string | undefined][];
  return (call) => entries.every(([name, value]) => value === undefined || call[name] === value);
}
