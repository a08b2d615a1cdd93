/** The lengths of the units of a Go duration, in milliseconds. */
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/**
 * Parses a duration as Go writes it (`1m30s`, `1.5h`, `0`), from milliseconds to hours, into
 * milliseconds. Returns `undefined` when the text is not a duration; `-Infinity` for a negative
 * duration.
 */
export function parseGoDuration(text: string): number | undefined {
  if (text === "0") return 0;
  const [, sign = "", parts = ""] = /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:ms|s|m|h))+)$/.exec(text) ??
    [];
  if (parts === "") return undefined;
  let totalMs = 0;
  for (const [, count, unit] of parts.matchAll(/([\d.]+)(ms|s|m|h)/g)) {
    totalMs += Number(count) * UNIT_MS[unit!]!;
  }
  return sign === "-" && totalMs > 0 ? -Infinity : totalMs;
}
