import { MAX_TIMER_MS } from "@xca/apimachinery/base";
import { quoted, refused } from "./config_place.ts";

const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  "µs": 1e-3,
  "μs": 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};
const DURATION = /^([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)/;

/**
 * Parses a duration as Go writes it (`1m30s`, `1.5h`, `500ms`, `0`; `time.ParseDuration`) into
 * milliseconds, possibly with a fraction. Returns `undefined` when the text is not a duration, or
 * is a negative one.
 */
export function parseGoDuration(text: string): number | undefined {
  let rest = text.startsWith("+") ? text.slice(1) : text;
  if (rest === "0") return 0;
  if (rest === "") return undefined;
  let totalMs = 0;
  while (rest !== "") {
    const match = DURATION.exec(rest);
    if (!match) return undefined;
    totalMs += Number(match[1]) * UNIT_MS[match[3] ?? ""]!;
    rest = rest.slice(match[0].length);
  }
  return totalMs;
}

/**
 * Parses the `--request-timeout` of kubectl, whole seconds or a duration with units, into
 * milliseconds. Returns `undefined` for no limit (an empty text or zero). A duration below one
 * millisecond is rounded up to one.
 *
 * @throws {ConfigError} When the text is neither, is negative, or exceeds the longest timer of the
 * runtime (about 24.8 days).
 */
export function parseRequestTimeout(text: string, place: string): number | undefined {
  if (text === "") return undefined;
  const ms = /^\+?[0-9]+$/.test(text) ? Number(text) * 1_000 : parseGoDuration(text);
  if (ms === undefined) {
    const reason = text.startsWith("-")
      ? `${quoted(text)} is negative`
      : `${quoted(text)} is not a duration`;
    throw refused(place, reason, "write 0 for none, whole seconds, or e.g. 30s, 1m30s, 500ms");
  }
  if (ms > MAX_TIMER_MS) {
    throw refused(place, `${quoted(text)} is longer than 24 days`, "write 0 for none, or less");
  }
  return ms === 0 ? undefined : Math.max(1, Math.round(ms));
}
