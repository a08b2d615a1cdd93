/**
 * What is said of amounts that a limit does not let through, in the real server's words.
 *
 * @module
 */
import type { Quantities } from "../../validation/pod_resources.ts";
import { milliValue, wholeValue } from "../../validation/quantity.ts";

/** What is asked for, and what may be used at most. */
export interface Amounts {
  readonly requests: Readonly<Quantities>;
  readonly limits: Readonly<Quantities>;
}

/** One resource, and the bound that is set to it. */
interface Bounded {
  /** Of what the limit is: `Pod`, `Container`. */
  readonly type: string;
  readonly resource: string;
  readonly bound: string;
  readonly request: string | undefined;
  readonly limit: string | undefined;
}

/** Checks one resource; what is wrong, or `undefined`. */
type Constraint = (bounded: Bounded) => string | undefined;

/** The most that the real server counts in thousandths; above it counts whole numbers. */
const MAX_MILLI = (2n ** 63n - 1n) / 1000n;

/** Quantities in one unit, the finest that all of them can be counted in. */
function comparable(...quantities: readonly (string | undefined)[]): bigint[] {
  const whole = quantities.map((quantity) => wholeValue(quantity ?? "0"));
  if (whole.some((value) => value > MAX_MILLI)) return whole;
  return quantities.map((quantity) => milliValue(quantity ?? "0"));
}

/** At least so much. */
export function atLeast({ type, resource, bound, request, limit }: Bounded): string | undefined {
  const [requested, limited, least] = comparable(request, limit, bound);
  const what = `minimum ${resource} usage per ${type} is ${bound}`;
  if (request === undefined) return `${what}.  No request is specified`;
  if (requested! < least!) return `${what}, but request is ${request}`;
  if (limit !== undefined && limited! < least!) return `${what}, but limit is ${limit}`;
  return undefined;
}

/** At most so much. */
export function atMost({ type, resource, bound, request, limit }: Bounded): string | undefined {
  const [requested, limited, most] = comparable(request, limit, bound);
  const what = `maximum ${resource} usage per ${type} is ${bound}`;
  if (limit === undefined) return `${what}.  No limit is specified`;
  if (limited! > most!) return `${what}, but limit is ${limit}`;
  if (request !== undefined && requested! > most!) return `${what}, but request is ${request}`;
  return undefined;
}

/** At most so much is asked for, where there are no limits. */
export function atMostRequested({ type, resource, bound, request }: Bounded): string | undefined {
  const [requested, most] = comparable(request, bound);
  const what = `maximum ${resource} usage per ${type} is ${bound}`;
  if (request === undefined) return `${what}.  No request is specified`;
  return requested! > most! ? `${what}, but request is ${request}` : undefined;
}

/** The limit is at most so many times the request. */
export function atMostTimes(
  { type, resource, bound, request, limit }: Bounded,
): string | undefined {
  const [requested, limited] = comparable(request, limit, bound);
  const what = `${resource} max limit to request ratio per ${type} is ${bound}`;
  if (request === undefined || requested === 0n) {
    return `${what}, but no request is specified or request is 0`;
  }
  if (limit === undefined || limited === 0n) {
    return `${what}, but no limit is specified or limit is 0`;
  }
  const ratio = Number(limited) / Number(requested);
  const inMilli = wholeValue(bound) <= MAX_MILLI;
  const exceeds = inMilli
    ? ratio * 1000 > Number(milliValue(bound))
    : ratio > Number(wholeValue(bound));
  return exceeds ? `${what}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

/** What a constraint says of each resource that has a bound, by name. */
export function unmet(
  constraint: Constraint,
  type: string,
  bounds: Readonly<Quantities> | undefined,
  amounts: Amounts,
): string[] {
  return Object.entries(bounds ?? {})
    .sort(([a], [b]) => a < b ? -1 : 1)
    .map(([resource, bound]) =>
      constraint({
        type,
        resource,
        bound,
        request: amounts.requests[resource],
        limit: amounts.limits[resource],
      })
    )
    .filter((text) => text !== undefined);
}
