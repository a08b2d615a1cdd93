import { MAX_TIMER_MS } from "@xca/apimachinery/base";
import type { ControllerOptions } from "./controller_definition.ts";

/** A controller's options without gaps, but for the limiter. */
export type CheckedControllerOptions = Required<Omit<ControllerOptions, "rateLimiter">>;

/** What holds where a controller says nothing else. */
export const DEFAULT_CONTROLLER_OPTIONS: CheckedControllerOptions = {
  workers: 1,
  timeoutMs: 600_000,
  warnAfterMs: 30_000,
  abortGraceMs: 5_000,
  syncTimeoutMs: 120_000,
  staleCacheTimeoutMs: 30_000,
  resyncPeriodMs: 0,
};

/** @throws {RangeError} When an option is out of range. */
export function checkControllerOptions(controller: string, options: ControllerOptions): void {
  const { workers, resyncPeriodMs } = options;
  const what = `Cannot run controller ${controller}`;
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

function check(what: string, name: string, value: number, least: number): void {
  if (value >= least && value <= MAX_TIMER_MS) return;
  throw new RangeError(
    `${what}: ${name} must be between ${least} and ${MAX_TIMER_MS} milliseconds, is ${value}`,
  );
}
