import { type Clock, type Random, seededRandom, systemClock } from "@xca/apimachinery/base";
import type { Fetch } from "../../client/transport/fetch.ts";
import { type CallFacts, callFacts } from "./call_facts.ts";
import { checkNumber } from "../check_number.ts";
import type { Fault } from "./faults.ts";

/**
 * A filter of calls for {@linkcode withFault}: those whose facts equal all the given fields, or
 * those for which a function returns true.
 */
export type CallFilter = Partial<CallFacts> | ((call: CallFacts, request: Request) => boolean);

/** Options of {@linkcode withFault}, which simulates failures of a client's calls. */
export interface FaultOptions {
  /** The filter of the calls that the fault may affect. @default {all} */
  readonly when?: CallFilter;
  /** The maximum number of calls that the fault affects; later calls pass. @default {no limit} */
  readonly times?: number;
  /**
   * The number of calls that match `when` and pass before the fault may affect one.
   *
   * @default {0}
   */
  readonly after?: number;
  /** The probability that the fault affects a selected call, from 0 to 1. @default {1} */
  readonly chance?: number;
  /**
   * The source of the random numbers that decide, by `chance`, whether the fault affects a selected
   * call.
   *
   * @default {seededRandom(1)}
   */
  readonly random?: Random;
  /** The clock for the delays of the fault. @default {systemClock} */
  readonly clock?: Clock;
}

/**
 * A fetch function with a fault, and the counts of its calls: the result of {@linkcode withFault}.
 */
export interface FaultyFetch {
  /** The wrapped fetch function, of whose calls the fault affects those that the options select. */
  readonly fetch: Fetch;
  /** The number of calls so far that `when` selected, affected by the fault or not. */
  readonly meant: number;
  /** The number of calls so far that the fault affected. */
  readonly hits: number;
}

/**
 * Returns a wrapper of the fetch function to a server, which calls the fault in place of the
 * function for the calls that the options select, and passes all others. Faults can be nested:
 * `withFault(a, withFault(b, fetch).fetch)`.
 *
 * {@linkcode FaultOptions} select the calls, their number and the probability. The same seed with
 * the same calls in the same order affects the same calls.
 *
 * @throws {RangeError} When `times` or `after` is not a whole number of at least 0 (or `Infinity`),
 * or `chance` not from 0 to 1.
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
