import { MAX_TIMER_MS } from "@xca/apimachinery/base";
import { checkOptionNames, described, withDefaults } from "@xca/apimachinery/internal/base";
import { isQualifiedName } from "@xca/apimachinery/meta";
import { checkFunction } from "./value_checks.ts";
import type { ControllerDefinition, ControllerOptions } from "./controller_definition.ts";

/** The names of the controller options that have no default. */
const WITHOUT_DEFAULT = ["eventSource", "rateLimiter", "fairBy", "fairWeights"] as const;

/** Options of a controller with defaults filled in, without the options that have no default. */
export type CheckedControllerOptions = Required<
  Omit<ControllerOptions, typeof WITHOUT_DEFAULT[number]>
>;

/** The defaults of the controller options that have one. */
const DEFAULT_CONTROLLER_OPTIONS: CheckedControllerOptions = {
  workers: 1,
  timeoutMs: 600_000,
  warnAfterMs: 30_000,
  abortGraceMs: 5_000,
  syncTimeoutMs: 120_000,
  staleCacheTimeoutMs: 30_000,
  resyncPeriodMs: 0,
  agingMs: 10_000,
  hotLoopRuns: 20,
};

/**
 * Returns the options of a controller with the defaults of those that are absent or `undefined`.
 */
export function controllerOptionsOf(
  { options }: Pick<ControllerDefinition, "options">,
): CheckedControllerOptions {
  return withDefaults(DEFAULT_CONTROLLER_OPTIONS, options);
}

/**
 * Throws unless the options of a controller are valid; absent and `undefined` options are valid.
 *
 * @throws {RangeError} When an option is out of range.
 * @throws {TypeError} When an option is unknown or of the wrong type.
 */
export function checkControllerOptions(controller: string, options: ControllerOptions): void {
  const what = `Cannot run controller ${controller}`;
  const known = [...Object.keys(DEFAULT_CONTROLLER_OPTIONS), ...WITHOUT_DEFAULT];
  checkOptionNames(what, options, Object.fromEntries(known.map((name) => [name, true] as const)));
  if (options.rateLimiter !== undefined) checkFunction(options.rateLimiter, `${what}: rateLimiter`);
  const { workers, resyncPeriodMs, fairBy, hotLoopRuns, agingMs } = options;
  if (fairBy !== undefined && fairBy !== "namespace") {
    checkFunction(fairBy, `${what}: fairBy is not "namespace", and`);
  }
  checkWeights(what, options);
  checkEventSource(what, options);
  if (hotLoopRuns !== undefined && !(hotLoopRuns >= 2)) {
    throw new RangeError(`${what}: hotLoopRuns must be at least 2, is ${hotLoopRuns}`);
  }
  if (agingMs !== undefined && agingMs !== Infinity) check(what, "agingMs", agingMs, 0);
  if (workers !== undefined && !(Number.isInteger(workers) && workers >= 1)) {
    throw new RangeError(`${what}: workers must be a whole number of at least 1, is ${workers}`);
  }
  for (const name of ["timeoutMs", "warnAfterMs"] as const) {
    const value = options[name];
    if (value !== undefined && value !== Infinity) check(what, name, value, 1);
  }
  if (resyncPeriodMs !== undefined && resyncPeriodMs !== 0) {
    check(what, "resyncPeriodMs", resyncPeriodMs, 1_000);
  }
  for (const name of ["abortGraceMs", "syncTimeoutMs", "staleCacheTimeoutMs"] as const) {
    const value = options[name];
    if (value !== undefined) check(what, name, value, 0);
  }
}

function checkEventSource(what: string, { eventSource }: ControllerOptions): void {
  if (eventSource === undefined) return;
  if (typeof eventSource === "string" && isQualifiedName(eventSource)) return;
  throw new RangeError(
    `${what}: eventSource must be a qualified name, such as example.org/greeter, is ` +
      JSON.stringify(eventSource),
  );
}

function checkWeights(what: string, { fairBy, fairWeights }: ControllerOptions): void {
  if (fairWeights === undefined) return;
  if (fairBy === undefined) {
    throw new TypeError(
      `${what}: fairWeights are the weights of the tenants of fairBy, set it too`,
    );
  }
  if (typeof fairWeights !== "object" || fairWeights === null) {
    throw new TypeError(
      `${what}: fairWeights must be an object of weights by tenant, is ${described(fairWeights)}`,
    );
  }
  for (const [tenant, weight] of Object.entries(fairWeights)) {
    if (Number.isFinite(weight) && weight >= 1) continue;
    const given = typeof weight === "number" ? weight : described(weight);
    throw new RangeError(
      `${what}: the weight of tenant ${tenant} in fairWeights must be at least 1, is ${given}`,
    );
  }
}

function check(what: string, name: string, value: number, least: number): void {
  if (typeof value === "number" && value >= least && value <= MAX_TIMER_MS) return;
  throw new RangeError(
    `${what}: ${name} must be between ${least} and ${MAX_TIMER_MS} milliseconds, is ${
      typeof value === "number" ? value : described(value)
    }`,
  );
}
