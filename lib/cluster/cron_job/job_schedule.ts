// Mirrors `controller/util/parsers/parsers.go, ParseCronScheduleWithPanicRecovery`.
import { attempt } from "@xca/apimachinery/internal/base";
import { CronSchedule } from "../../schedule/cron_schedule.ts";

/** A schedule of the times at which a CronJob creates Jobs. */
export interface JobSchedule {
  /** Returns the first scheduled time after a date; `undefined` when there is none. */
  next(after: Date): Date | undefined;
}

const EVERY = "@every ";
const UNITS: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 1e-3,
  "\u00b5s": 1e-3,
  ns: 1e-6,
};

/**
 * Returns the parsed schedule of a CronJob: a cron expression in the given time zone (by default
 * UTC), or `@every` with a duration of Go. The schedule of a day that never comes, such as 30
 * February, has no times.
 *
 * @throws {RangeError} When the schedule cannot be parsed.
 */
export function jobSchedule(expression: string, timeZone: string | undefined): JobSchedule {
  if (expression.startsWith(EVERY)) return interval(expression.slice(EVERY.length).trim());
  if (isImpossible(expression)) return { next: () => undefined };
  const schedule = new CronSchedule(expression, { timeZone });
  return { next: (after) => attempt(() => schedule.next(after)) };
}

/**
 * Returns the schedule of an `@every` duration: a fixed interval, rounded down to whole seconds and
 * at least one second. Throws a RangeError if the text is no duration.
 */
function interval(duration: string): JobSchedule {
  const parts = [...duration.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|\u00b5s|ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== duration) {
    throw new RangeError(`failed to parse duration @every ${duration}`);
  }
  const ms = parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit!]!, 0);
  const stepMs = Math.max(1000, Math.trunc(ms / 1000) * 1000);
  return {
    next: (after) => new Date(Math.floor(after.getTime() / 1000) * 1000 + stepMs),
  };
}

/**
 * Reports whether a cron expression with one day and one month, and any weekday, names a day that
 * the month never has, such as 30 February.
 */
function isImpossible(expression: string): boolean {
  const [, , day, month, weekday] = expression.trim().split(/\s+/);
  if (weekday !== "*" || !/^\d+$/.test(day ?? "") || !/^\d+$/.test(month ?? "")) return false;
  const days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Number(month) - 1];
  return days !== undefined && Number(day) <= 31 && Number(day) > days;
}
