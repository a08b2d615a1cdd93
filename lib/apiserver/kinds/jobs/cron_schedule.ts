/**
 * Validates the schedules of CronJobs: five fields, or a descriptor such as `@daily`. The error
 * messages are those of robfig/cron, the library that kube-apiserver uses.
 *
 * Mirrors `batch/validation/validation.go, validateScheduleFormat`.
 *
 * @module
 */
import { goQuote } from "@xca/apimachinery/internal/values";

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: Readonly<Record<string, number>>;
}

function named(names: string, first: number): Readonly<Record<string, number>> {
  return Object.fromEntries(names.split(" ").map((name, index) => [name, first + index]));
}

const FIELDS: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: named("jan feb mar apr may jun jul aug sep oct nov dec", 1) },
  { min: 0, max: 6, names: named("sun mon tue wed thu fri sat", 0) },
];

const DESCRIPTORS: ReadonlySet<string> = new Set([
  "@yearly",
  "@annually",
  "@monthly",
  "@weekly",
  "@daily",
  "@midnight",
  "@hourly",
]);

/**
 * Returns the reason why the schedule of a CronJob is invalid; `undefined` for a valid schedule.
 */
export function scheduleProblem(schedule: string): string | undefined {
  if (schedule === "") return "empty spec string";
  let text = schedule;
  const zoned = /^(?:CRON_)?TZ=/.exec(text);
  if (zoned) {
    const space = text.indexOf(" ");
    if (space < 0) {
      return "invalid schedule format: runtime error: slice bounds out of range [:-1]";
    }
    const zone = text.slice(zoned[0].length, space);
    const problem = timeZoneProblem(zone);
    if (problem) return `provided bad location ${zone}: ${problem}`;
    text = text.slice(space).trim();
  }
  if (text.startsWith("@")) return descriptorProblem(text);
  const fields = text.split(/\s+/).filter((field) => field !== "");
  if (fields.length !== FIELDS.length) {
    return `expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]`;
  }
  for (const [index, field] of fields.entries()) {
    for (const range of field.split(",").filter((range) => range !== "")) {
      const problem = rangeProblem(range, FIELDS[index]!);
      if (problem) return problem;
    }
  }
  return undefined;
}

/**
 * Returns the reason why the time zone of a CronJob is invalid, in the words of Go's
 * `time.LoadLocation`; `undefined` for a valid time zone.
 */
export function timeZoneProblem(zone: string): string | undefined {
  if (zone === "" || zone === "UTC" || zone === "Local") return undefined;
  if (zone.includes("..") || zone.startsWith("/") || zone.startsWith("\\")) {
    return "time: invalid location name";
  }
  return isTimeZone(zone) ? undefined : `unknown time zone ${zone}`;
}

/**
 * Reports whether a time zone exists. Upper and lower case are distinguished, since kube-apiserver
 * looks up the name as a file.
 */
function isTimeZone(zone: string): boolean {
  if (!/^[A-Z]/.test(zone)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions();
    return timeZone === zone || timeZone.toLowerCase() !== zone.toLowerCase();
  } catch {
    return false;
  }
}

const DURATION = /^[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/;

function descriptorProblem(text: string): string | undefined {
  if (DESCRIPTORS.has(text)) return undefined;
  const every = "@every ";
  if (!text.startsWith(every)) return `unrecognized descriptor: ${text}`;
  const duration = text.slice(every.length);
  if (DURATION.test(duration)) return undefined;
  return `failed to parse duration ${text}: ${durationProblem(duration)}`;
}

function durationProblem(duration: string): string {
  const shown = goQuote(duration);
  const rest = duration.replace(/^[+-]/, "");
  const parts = /^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))*(\d+\.?\d*|\.\d+)([^\d.]*)/
    .exec(rest);
  if (!parts) return `time: invalid duration ${shown}`;
  return parts[2] === ""
    ? `time: missing unit in duration ${shown}`
    : `time: unknown unit ${goQuote(parts[2]!)} in duration ${shown}`;
}

function rangeProblem(range: string, bounds: Bounds): string | undefined {
  const [span = "", step, ...moreSteps] = range.split("/");
  const [low = "", high, ...moreBounds] = span.split("-");
  let { min: start, max: end } = bounds;
  if (low !== "*" && low !== "?") {
    const first = numberOf(low, bounds);
    if (typeof first === "string") return first;
    start = end = first;
    if (moreBounds.length > 0) return `too many hyphens: ${range}`;
    if (high !== undefined) {
      const last = numberOf(high, bounds);
      if (typeof last === "string") return last;
      end = last;
    }
  }
  if (moreSteps.length > 0) return `too many slashes: ${range}`;
  const size = step === undefined ? 1 : numberOf(step, { ...bounds, names: {} });
  if (typeof size === "string") return size;
  if (step !== undefined && high === undefined) end = bounds.max;
  return orderProblem(range, start, end, size, bounds);
}

function orderProblem(
  range: string,
  start: number,
  end: number,
  step: number,
  { min, max }: Bounds,
): string | undefined {
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${range}`;
  if (end > max) return `end of range (${end}) above maximum (${max}): ${range}`;
  if (start > end) {
    return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  }
  return step === 0 ? `step of range should be a positive number: ${range}` : undefined;
}

/**
 * Returns the number that a text in a field of a cron schedule denotes, by digits or by name, or
 * the reason why the text denotes none.
 */
function numberOf(text: string, { names = {} }: Bounds): number | string {
  const name = text.toLowerCase();
  if (Object.hasOwn(names, name)) return names[name]!;
  const cannot = (why: string) =>
    `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: ${why}`;
  if (!/^[+-]?\d+$/.test(text)) return cannot("invalid syntax");
  const number = BigInt(text.replace(/^\+/, ""));
  if (number >= 2n ** 63n || number < -(2n ** 63n)) return cannot("value out of range");
  if (number < 0n) return `negative number (${number}) not allowed: ${text}`;
  return Number(number);
}
