import process from "node:process";

/** One row of the bench's table: a ratio of two measurements. */
export interface Row {
  /** The name of the row: the measured thing and its baseline. */
  readonly name: string;
  /** The ratio of the row, median of the rounds; smaller is better unless `atLeast` is set. */
  readonly ratio: number;
  /** The smallest and the largest ratio among the rounds of the row. */
  readonly spread: readonly [number, number];
  /** The largest allowed ratio, or the smallest one when `atLeast` is set. */
  readonly target?: number;
  /** Reports whether a larger ratio is better. */
  readonly atLeast?: boolean;
  /** The reason why the row was not measured; its figures are empty then. */
  readonly skipped?: string;
  /** The measured figures behind the ratio. */
  readonly detail: string;
}

/**
 * Returns the CPU time of this process that `work` takes, all threads, in microseconds per unit.
 */
export function cpuPer(units: number, work: () => void): number {
  const before = process.cpuUsage();
  work();
  const spent = process.cpuUsage(before);
  return (spent.user + spent.system) / units;
}

/** Returns the median of some values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Creates a row from rounds of pairs (measured, baseline). */
export function row(
  name: string,
  unit: string,
  pairs: readonly (readonly [number, number])[],
  target?: number,
  options: { atLeast?: boolean } = {},
): Row {
  const ratios = pairs.map(([measured, floor]) => measured / floor);
  const measured = median(pairs.map((pair) => pair[0]));
  const floor = median(pairs.map((pair) => pair[1]));
  return {
    name,
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    ...(target === undefined ? {} : { target }),
    ...(options.atLeast ? { atLeast: true } : {}),
    detail: `${measured.toFixed(2)} against ${floor.toFixed(2)} ${unit}`,
  };
}

/** Creates a row that was not measured, with the reason. */
export function skippedRow(name: string, reason: string): Row {
  return { name, ratio: NaN, spread: [NaN, NaN], detail: "", skipped: reason };
}

/**
 * Reports whether a row keeps its target; returns `undefined` when it has none or was not measured.
 */
export function isMet({ ratio, target, atLeast, skipped }: Row): boolean | undefined {
  if (target === undefined || skipped !== undefined) return undefined;
  return atLeast ? ratio >= target : ratio <= target;
}

/** Returns the rows as a table of text. */
export function table(rows: readonly Row[]): string {
  const lines = [["row", "ratio", "spread", "target", "", "figures"], ...rows.map(cellsOf)];
  const widths = lines[0]!.map((_, column) =>
    Math.max(...lines.map((line) => line[column]!.length))
  );
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column]!)).join("  ").trimEnd())
    .join("\n");
}

function cellsOf(each: Row): string[] {
  if (each.skipped !== undefined) return [each.name, "-", "-", "", "skipped", each.skipped];
  const met = isMet(each);
  return [
    each.name,
    each.ratio.toFixed(3),
    `${each.spread[0].toFixed(3)}-${each.spread[1].toFixed(3)}`,
    each.target === undefined ? "" : `${each.atLeast ? ">=" : "<="} ${each.target}`,
    met === undefined ? "" : met ? "met" : "MISSED",
    each.detail,
  ];
}
