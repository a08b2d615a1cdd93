import { MAX_TIMER_MS } from "@xca/apimachinery/base";
import { checkOptionNames, described } from "@xca/apimachinery/internal/base";
import { isDnsLabel } from "@xca/apimachinery/meta";
import type { Operator } from "../definition/operator_definition.ts";

/** The options of `runOperator()` and `reconcileOnce()` whose values are not checked yet. */
export interface RunArguments {
  readonly client: unknown;
  readonly namespace?: unknown;
  readonly signal?: unknown;
  readonly gracePeriodMs?: unknown;
}

/** The names of all options of `runOperator()`. */
export const RUN_OPTIONS = {
  client: true,
  namespace: true,
  workers: true,
  signal: true,
  gracePeriodMs: true,
  informers: true,
  gate: true,
  startWhen: true,
  missingResources: true,
  metrics: true,
  queueMetrics: true,
  clock: true,
  random: true,
} as const;

/** The names of all options of `reconcileOnce()`. */
export const ONCE_OPTIONS = {
  client: true,
  namespace: true,
  attempt: true,
  signal: true,
  clock: true,
  random: true,
} as const;

/**
 * Throws unless the arguments of `runOperator()` are valid. A module may be run without a type
 * check, and a watch of an impossible namespace would stay empty without an error.
 *
 * @throws {TypeError} When an argument is missing or of the wrong type, or an option is unknown.
 * @throws {RangeError} When the grace period is neither a number of milliseconds from 0 to
 * 2147483647 nor `Infinity`.
 */
export function checkRun(operator: Operator, options: RunArguments): void {
  if (!Array.isArray(operator?.controllers)) {
    throw new TypeError("Cannot run an operator that defineOperator() has not made");
  }
  const failure = `Cannot run operator ${operator.name}`;
  checkCommon(options, failure);
  checkOptionNames<typeof RUN_OPTIONS>(failure, options, RUN_OPTIONS);
  const { gracePeriodMs = 0 } = options;
  const fits = typeof gracePeriodMs === "number" &&
    (gracePeriodMs === Infinity || (gracePeriodMs >= 0 && gracePeriodMs <= MAX_TIMER_MS));
  if (fits) return;
  throw new RangeError(
    `${failure}: gracePeriodMs must be between 0 and ${MAX_TIMER_MS} milliseconds or Infinity, ` +
      `is ${typeof gracePeriodMs === "number" ? gracePeriodMs : described(gracePeriodMs)}`,
  );
}

/**
 * Throws unless the options of `reconcileOnce()` are valid.
 *
 * @throws {TypeError} When an option is missing, unknown or of the wrong type.
 */
export function checkOnce(controller: string, options: RunArguments): void {
  const failure = `Cannot reconcile once with controller ${controller}`;
  checkCommon(options, failure);
  checkOptionNames<typeof ONCE_OPTIONS>(failure, options, ONCE_OPTIONS);
}

function checkCommon(options: RunArguments, failure: string): void {
  const { client, namespace, signal } = options ?? {};
  if (client === undefined || client === null) {
    throw new TypeError(`${failure} without a client: pass { client: createClient(...) }`);
  }
  if (namespace !== undefined && namespace !== "") {
    if (typeof namespace !== "string" || !isDnsLabel(namespace)) {
      throw new TypeError(
        `${failure}: namespace must be the name of a namespace, ` +
          `is ${typeof namespace === "string" ? JSON.stringify(namespace) : described(namespace)}`,
      );
    }
  }
  if (signal === undefined || signal instanceof AbortSignal) return;
  throw new TypeError(`${failure}: signal must be an AbortSignal, is ${described(signal)}`);
}
