import type { ElectionResult } from "./election_run.ts";

/** The largest growth of a replica's heap after its first sample that is no leak, in bytes. */
const HEAP_GROWTH = 16 * 2 ** 20;

/** Returns the faults of an election run, one text each; none when the run passed. */
export function faultsOf(result: ElectionResult): string[] {
  const wrong = [...result.violations, ...result.differences];
  if (result.holderAtEnd !== "") wrong.push(`${result.holderAtEnd} did not release the lease`);
  if (result.writes === 0) wrong.push("no replica wrote anything");
  for (const [process, samples] of result.memory) {
    const [first] = samples;
    const last = samples.at(-1);
    if (!first || !last || last.heap <= first.heap + HEAP_GROWTH) continue;
    wrong.push(`the heap of ${process} grew from ${mib(first.heap)} to ${mib(last.heap)}`);
  }
  return wrong;
}

/** Returns the figures of an election run as text for people. */
export function summaryOf(result: ElectionResult): string {
  const samples = [...result.memory.values()].flat();
  const most = (of: (sample: typeof samples[number]) => number): string =>
    mib(Math.max(0, ...samples.map(of)));
  const lines = [
    `${result.faults} faults, ${result.pids.length} processes, ${result.terms.length} terms, ` +
    `${result.starts} checks at starts of writes, ${result.writes} writes accepted, ` +
    `${result.late.length} of them late`,
    ...result.late.map((line) => `  late: ${line}`),
    ...[...result.ends].map(([error, count]) => `  ended ${count} x: ${error || "stopped"}`),
    `  memory: heap at most ${most(({ heap }) => heap)}, resident at most ${
      most(({ rss }) => rss)
    }`,
  ];
  return lines.join("\n");
}

function mib(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
