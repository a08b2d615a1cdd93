// Mirrors `admission/limitranger/admission.go, limitRequestRatioConstraint`.

/**
 * Checks of amounts against the bounds of a LimitRange, with kube-apiserver's messages.
 *
 * @module
 */
import { milliValue, wholeValue } from "@xca/apimachinery/internal/values";
import type { Quantities } from "@xca/apimachinery/internal/resources";

/**
 * The requested resource amounts of a pod, container or PersistentVolumeClaim, and their upper
 * limits.
 */
export interface Amounts {
  readonly requests: Readonly<Quantities>;
  readonly limits: Readonly<Quantities>;
}

/** The request and limit of one resource, such as `cpu`, with the bound that a LimitRange sets. */
interface Bounded {
  /** The `type` of the LimitRange entry: `Pod`, `Container` or `PersistentVolumeClaim`. */
  readonly type: string;
  readonly resource: string;
  readonly bound: string;
  readonly request: string | undefined;
  readonly limit: string | undefined;
}

/**
 * A check of the request and limit of one resource, such as `cpu`, against a bound of a LimitRange.
 * It returns an error message, or `undefined` if the bound is met.
 */
type Constraint = (bounded: Bounded) => string | undefined;

/**
 * The largest quantity, in whole units, that kube-apiserver compares in thousandths, so that these
 * fit in 64 bits; larger ones are compared as whole numbers.
 */
const MAX_MILLI = (2n ** 63n - 1n) / 1000n;

/**
 * Returns quantities as integers in one unit: in thousandths, or as whole numbers if one of the
 * quantities is too large. An absent quantity is 0.
 */
function comparable(...quantities: readonly (string | undefined)[]): bigint[] {
  const whole = quantities.map((quantity) => wholeValue(quantity ?? "0"));
  if (whole.some((value) => value > MAX_MILLI)) return whole;
  return quantities.map((quantity) => milliValue(quantity ?? "0"));
}

/**
 * Checks that a resource is requested, and that neither its request nor its limit is below the
 * `min` of a LimitRange. Returns the error message, or `undefined` if the bound is met.
 */
export function atLeast({ type, resource, bound, request, limit }: Bounded): string | undefined {
  const [requested, limited, least] = comparable(request, limit, bound);
  const what = `minimum ${resource} usage per ${type} is ${bound}`;
  if (request === undefined) return `${what}.  No request is specified`;
  if (requested! < least!) return `${what}, but request is ${request}`;
  if (limit !== undefined && limited! < least!) return `${what}, but limit is ${limit}`;
  return undefined;
}

/**
 * Checks that a resource has a limit, and that neither its limit nor its request exceeds the `max`
 * of a LimitRange. Returns the error message, or `undefined` if the bound is met.
 */
export function atMost({ type, resource, bound, request, limit }: Bounded): string | undefined {
  const [requested, limited, most] = comparable(request, limit, bound);
  const what = `maximum ${resource} usage per ${type} is ${bound}`;
  if (limit === undefined) return `${what}.  No limit is specified`;
  if (limited! > most!) return `${what}, but limit is ${limit}`;
  if (request !== undefined && requested! > most!) return `${what}, but request is ${request}`;
  return undefined;
}

/**
 * Checks that a resource is requested, and that its request does not exceed the `max` of a
 * LimitRange, for PersistentVolumeClaims, which have no limits. Returns the error message, or
 * `undefined` if the bound is met.
 */
export function atMostRequested({ type, resource, bound, request }: Bounded): string | undefined {
  const [requested, most] = comparable(request, bound);
  const what = `maximum ${resource} usage per ${type} is ${bound}`;
  if (request === undefined) return `${what}.  No request is specified`;
  return requested! > most! ? `${what}, but request is ${request}` : undefined;
}

/**
 * Checks that a resource has a request and a limit, and that the ratio of limit to request does not
 * exceed the `maxLimitRequestRatio` of a LimitRange. Returns the error message, or `undefined` if
 * the bound is met.
 */
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

/**
 * Applies a constraint to each resource that a LimitRange entry bounds. Returns the error messages
 * of the bounds that are not met, in the order of the resources' names.
 */
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
