import process from "node:process";

/** One line of the bench's table. */
export interface Row {
  /** What is measured, against what. */
  readonly name: string;
  /** The ratio of the two, median of the rounds; smaller is better. */
  readonly ratio: number;
  /** The smallest and largest ratio of a round. */
  readonly spread: readonly [number, number];
  /** The most it may be. */
  readonly target?: number;
  /** The figures behind it. */
  readonly detail: string;
}

/** CPU time of this process that `work` takes, all threads, in microseconds per unit. */
export function cpuPer(units: number, work: () => void): number {
  const before = process.cpuUsage();
  work();
  const spent = process.cpuUsage(before);
  return (spent.user + spent.system) / units;
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Sums up rounds of (measured, floor) pairs. */
export function row(
  name: string,
  unit: string,
  pairs: readonly (readonly [number, number])[],
  target?: number,
): Row {
  const ratios = pairs.map(([measured, floor]) => measured / floor);
  const measured = median(pairs.map((pair) => pair[0]));
  const floor = median(pairs.map((pair) => pair[1]));
  return {
    name,
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    ...(target === undefined ? {} : { target }),
    detail: `${measured.toFixed(2)} against ${floor.toFixed(2)} ${unit}`,
  };
}

/** The rows as a table of text. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map((each) => [
    each.name,
    each.ratio.toFixed(3),
    `${each.spread[0].toFixed(3)}-${each.spread[1].toFixed(3)}`,
    each.target === undefined ? "" : `<= ${each.target}`,
    each.target === undefined ? "" : each.ratio <= each.target ? "met" : "MISSED",
    each.detail,
  ]);
  const lines = [["row", "ratio", "spread", "target", "", "figures"], ...cells];
  const widths = lines[0]!.map((_, column) =>
    Math.max(...lines.map((line) => line[column]!.length))
  );
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column]!)).join("  ").trimEnd())
    .join("\n");
}
