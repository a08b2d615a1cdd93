import { goQuote } from "../../values/go_text.ts";
import { plainDouble } from "./go_numbers.ts";

const SECOND = 1_000_000_000n;
const MILLISECOND = 1_000_000n;

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  "µs": 1000n,
  "μs": 1000n,
  ms: MILLISECOND,
  s: SECOND,
  m: 60n * SECOND,
  h: 3600n * SECOND,
};

const LARGEST = (1n << 63n) - 1n;

/** The time of the earliest CEL timestamp, the beginning of the year 1, in seconds since 1970. */
export const FIRST_SECOND: bigint = -62135596800n;
const LAST_SECOND = 253402300799n;

/**
 * Parses a duration, such as `1h30m`, to nanoseconds, like Go's `ParseDuration`; `undefined` for a
 * text that is invalid or out of range.
 */
export function parseDuration(text: string): bigint | undefined {
  const sign = text.startsWith("-") ? -1n : 1n;
  let rest = text.replace(/^[+-]/, "");
  if (rest === "0") return 0n;
  if (rest === "") return undefined;
  let total = 0n;
  while (rest !== "") {
    const match = /^(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/.exec(rest);
    if (!match) return undefined;
    const [all, whole, fraction, unit] = match;
    if (!whole && !fraction) return undefined;
    const scale = UNITS[unit!]!;
    total += BigInt(whole || "0") * scale;
    if (fraction) total += BigInt(fraction) * scale / 10n ** BigInt(fraction.length);
    if (total > LARGEST + (sign < 0n ? 1n : 0n)) return undefined;
    rest = rest.slice(all.length);
  }
  return sign * total;
}

/**
 * Formats a duration in nanoseconds as CEL's `string` does: as a number of seconds, such as
 * `5400s`.
 */
export function formatDuration(nanoseconds: bigint): string {
  const whole = Number(nanoseconds / SECOND);
  const rest = Number(nanoseconds % SECOND);
  return `${plainDouble(whole + rest / 1e9)}s`;
}

/**
 * Parses an RFC 3339 time to nanoseconds since 1970, without digits below a nanosecond; `undefined`
 * for an invalid text. The result may be out of the range of CEL timestamps.
 */
export function parseTimestamp(text: string): bigint | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/.exec(
    text,
  );
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction = "", zone] = match;
  const [y, mo, d, h, mi, s] = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (mo < 1 || mo > 12 || d < 1 || d > daysIn(y, mo) || h > 23 || mi > 59 || s > 59) {
    return undefined;
  }
  const offset = zoneSeconds(zone!);
  if (offset === undefined) return undefined;
  const seconds = BigInt(daysSince1970(y, mo, d)) * 86400n +
    BigInt(h * 3600 + mi * 60 + s - offset);
  return seconds * SECOND + BigInt(fraction.padEnd(9, "0").slice(0, 9));
}

/**
 * Reports whether a time in nanoseconds since 1970 is in the range of CEL timestamps, the years 1
 * to 9999.
 */
export function isTimestampInRange(nanoseconds: bigint): boolean {
  const seconds = floorDivide(nanoseconds, SECOND);
  return seconds >= FIRST_SECOND && seconds <= LAST_SECOND;
}

/**
 * Formats a time in nanoseconds since 1970 as RFC 3339 in UTC, with the necessary fractional
 * digits.
 */
export function formatTimestamp(nanoseconds: bigint): string {
  const { year, month, day, hour, minute, second, nanosecond } = calendar(nanoseconds);
  const two = (value: number): string => String(value).padStart(2, "0");
  const fraction = String(nanosecond).padStart(9, "0").replace(/0+$/, "");
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:` +
    `${two(second)}${fraction === "" ? "" : `.${fraction}`}Z`;
}

/** The calendar fields of a time, from which CEL's methods of timestamps take their results. */
export interface CalendarFields {
  readonly year: number;
  /** The month of the time, from 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanosecond: number;
  /** The day of the week of the time, from 0 for Sunday. */
  readonly weekday: number;
  /** The day of the year of the time, from 0. */
  readonly dayOfYear: number;
}

/**
 * Returns the calendar fields of a time in nanoseconds since 1970, in a time zone `offset` seconds
 * east of UTC.
 */
export function calendar(nanoseconds: bigint, offset = 0): CalendarFields {
  const seconds = floorDivide(nanoseconds, SECOND) + BigInt(offset);
  const days = Number(floorDivide(seconds, 86400n));
  const rest = Number(seconds - BigInt(days) * 86400n);
  const { year, month, day } = civil(days);
  return {
    year,
    month,
    day,
    hour: Math.floor(rest / 3600),
    minute: Math.floor(rest / 60) % 60,
    second: rest % 60,
    nanosecond: Number(nanoseconds - floorDivide(nanoseconds, SECOND) * SECOND),
    weekday: ((days + 4) % 7 + 7) % 7,
    dayOfYear: days - daysSince1970(year, 1, 1),
  };
}

/**
 * Returns the offset of a time zone, such as `Europe/Berlin` or `+01:00`, at a time in nanoseconds
 * since 1970, in seconds east of UTC (0 for the empty text); cel-go's error message for an unknown
 * or malformed zone. Mirrors `common/types/timestamp.go, timeZone`.
 */
export function zoneOffset(zone: string, nanoseconds: bigint): number | string {
  const colon = zone.indexOf(":");
  if (colon >= 0) {
    const hours = parseInteger(zone.slice(0, colon));
    if (typeof hours === "string") return hours;
    const minutes = parseInteger(zone.slice(colon + 1));
    if (typeof minutes === "string") return minutes;
    if (minutes < 0 || minutes > 59) {
      return `timezone offset minutes out of range [0, 59]: ${zone}`;
    }
    return (zone.startsWith("-") ? hours * 60 - minutes : hours * 60 + minutes) * 60;
  }
  if (zone === "" || zone === "UTC") return 0;
  // Intl takes offsets without a colon too, such as "+0100".
  if (/^[+-]/.test(zone)) return `unknown time zone ${zone}`;
  try {
    const milliseconds = Number(floorDivide(nanoseconds, MILLISECOND));
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      timeZoneName: "longOffset",
    });
    const name = format.formatToParts(milliseconds)
      .find(({ type }) => type === "timeZoneName")!.value;
    return zoneSeconds(name.slice(3)) ?? 0;
  } catch {
    return `unknown time zone ${zone}`;
  }
}

/** Returns the integer in a text, or the error message of Go's `strconv.Atoi`. */
function parseInteger(text: string): number | string {
  const problem = (why: string): string => `strconv.Atoi: parsing ${goQuote(text)}: ${why}`;
  if (!/^[+-]?[0-9]+$/.test(text)) return problem("invalid syntax");
  const value = BigInt(text.replace("+", ""));
  return BigInt.asIntN(64, value) === value ? Number(value) : problem("value out of range");
}

function zoneSeconds(zone: string): number | undefined {
  if (zone === "Z" || zone === "") return 0;
  const match = /^([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(zone);
  if (!match) return undefined;
  const [, sign, hours, minutes, seconds = "0"] = match;
  if (Number(hours) > 24 || Number(minutes) > 59) return undefined;
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === "-" ? -total : total;
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

function daysIn(year: number, month: number): number {
  return daysSince1970(month === 12 ? year + 1 : year, month === 12 ? 1 : month + 1, 1) -
    daysSince1970(year, month, 1);
}

/**
 * Returns the number of days from 1970 to a date of the civil calendar, counted in eras of 400
 * years that begin in March.
 */
function daysSince1970(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) +
    dayOfYear;
  return era * 146097 + dayOfEra - 719468;
}

function civil(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719468;
  const era = Math.floor(shifted / 146097);
  const dayOfEra = shifted - era * 146097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) -
      Math.floor(dayOfEra / 146096)) / 365,
  );
  const dayOfYear = dayOfEra -
    (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}
