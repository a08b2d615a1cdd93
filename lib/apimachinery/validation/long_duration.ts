// Mirrors `validation/strfmt/duration.go, ParseDuration`.

const SECOND = 1_000_000_000n;

/**
 * A list of the units of durations, each with its names and its number of nanoseconds. The last
 * name also matches longer words, as `sec` matches `seconds`.
 */
const UNITS: readonly (readonly [names: readonly string[], nanoseconds: bigint])[] = [
  [["ns", "nano"], 1n],
  [["us", "µs", "micro"], 1_000n],
  [["ms", "milli"], 1_000_000n],
  [["s", "sec"], SECOND],
  [["m", "min"], 60n * SECOND],
  [["h", "hr", "hour"], 3_600n * SECOND],
  [["d", "day"], 86_400n * SECOND],
  [["w", "wk", "week"], 604_800n * SECOND],
];

/**
 * Parses a duration in the second of the forms that the format `duration` of schemas accepts, such
 * as `3 days` or `1 hour 5 min`, and returns its nanoseconds; `undefined` for a text without a
 * number and a known unit, and for a number above 2^63-1. Other text around the numbers and units
 * is ignored. The first form is Go's.
 */
export function parseLongDuration(text: string): bigint | undefined {
  let sum: bigint | undefined;
  for (const [, digits, word] of text.matchAll(/(?<!\d)(\d+)\s*([A-Za-zµ]+)/g)) {
    const factor = BigInt(digits!);
    if (factor > 2n ** 63n - 1n) return undefined;
    const unit = word!.toLowerCase();
    for (const [names, nanoseconds] of UNITS) {
      if (!names.includes(unit) && !unit.startsWith(names.at(-1)!)) continue;
      sum = BigInt.asIntN(64, (sum ?? 0n) + factor * nanoseconds);
    }
  }
  return sum;
}
