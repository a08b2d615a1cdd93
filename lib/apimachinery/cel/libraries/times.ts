// Mirrors `common/types/timestamp.go, Timestamp`.
import type { Implementation, Library } from "../declarations.ts";
import { calendar, type CalendarFields, zoneOffset } from "../values/go_time.ts";
import { CelDuration, CelError, type CelTimestamp } from "../values/value.ts";

/**
 * The CEL methods of timestamps, each with its name, the identifier of its overload without a time
 * zone, and the function that reads the result from the calendar fields.
 */
const FIELDS: readonly (readonly [string, string, (fields: CalendarFields) => number])[] = [
  ["getFullYear", "timestamp_to_year", ({ year }) => year],
  ["getMonth", "timestamp_to_month", ({ month }) => month - 1],
  ["getDayOfYear", "timestamp_to_day_of_year", ({ dayOfYear }) => dayOfYear],
  ["getDayOfMonth", "timestamp_to_day_of_month", ({ day }) => day - 1],
  ["getDate", "timestamp_to_day_of_month_1_based", ({ day }) => day],
  ["getDayOfWeek", "timestamp_to_day_of_week", ({ weekday }) => weekday],
  ["getHours", "timestamp_to_hours", ({ hour }) => hour],
  ["getMinutes", "timestamp_to_minutes", ({ minute }) => minute],
  ["getSeconds", "timestamp_to_seconds", ({ second }) => second],
  [
    "getMilliseconds",
    "timestamp_to_milliseconds",
    ({ nanosecond }) => Math.floor(nanosecond / 1e6),
  ],
];

/**
 * The CEL methods of durations, each with its name, the identifier of its overload, and the unit of
 * its result in nanoseconds.
 */
const UNITS: readonly (readonly [string, string, bigint])[] = [
  ["getHours", "duration_to_hours", 3_600_000_000_000n],
  ["getMinutes", "duration_to_minutes", 60_000_000_000n],
  ["getSeconds", "duration_to_seconds", 1_000_000_000n],
  ["getMilliseconds", "duration_to_milliseconds", 1_000_000n],
];

function field(read: (fields: CalendarFields) => number): Implementation {
  return (moment, zone) => {
    const { nanoseconds } = moment as CelTimestamp;
    const offset = zone === undefined ? 0 : zoneOffset(zone as string, nanoseconds);
    if (typeof offset === "string") return new CelError(offset);
    return BigInt(read(calendar(nanoseconds, offset)));
  };
}

/** The CEL library of the methods of timestamps and durations. */
export const TIMES: Library = {
  signatures: [
    ...FIELDS.flatMap(([method, overload]) => [
      `${method} ${overload}.(timestamp) int`,
      `${method} ${overload}_with_tz.(timestamp, string) int`,
    ]),
    ...UNITS.map(([method, overload]) => `${method} ${overload}.(duration) int`),
  ].join("\n"),
  implementations: Object.fromEntries([
    ...FIELDS.flatMap(([, overload, read]) => [
      [overload, field(read)],
      [`${overload}_with_tz`, field(read)],
    ]),
    ...UNITS.map(([, overload, unit]): [string, Implementation] => [
      overload,
      (value) => (value as CelDuration).nanoseconds / unit,
    ]),
  ]),
};
