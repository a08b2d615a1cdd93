import type { ContainerScript, LogEntry } from "../container_script.ts";

/** A line of the log of a simulated container. */
export interface WrittenLine {
  /** The time at which the container wrote the log line, in milliseconds since the epoch. */
  readonly atMs: number;
  readonly text: string;
  readonly stream: "stdout" | "stderr";
}

/**
 * The time span of a container's run, from its start to its exit, in milliseconds since the epoch.
 */
export interface RunTime {
  readonly startedMs: number;
  /**
   * The end of the container's run, in milliseconds since the epoch; `Infinity` if the container
   * runs without a scripted end.
   */
  readonly endMs: number;
}

/**
 * The number of lines of a container's log that are kept, the newest ones, similar to a kubelet
 * that rotates logs.
 */
const KEPT_LINES = 100_000;

/**
 * Returns the log lines that a container's run writes after `afterMs`, up to and including
 * `untilMs` (in milliseconds since the epoch), in the order of time; at most the last 100,000.
 */
export function linesBetween(
  logs: ContainerScript["logs"],
  { startedMs, endMs }: RunTime,
  afterMs: number,
  untilMs: number,
): WrittenLine[] {
  const until = Math.min(untilMs, endMs);
  const lines = (logs ?? []).flatMap((entry) =>
    timesOf(normal(entry), startedMs, afterMs, until).map((atMs): WrittenLine => {
      const { text, stream = "stdout" } = normal(entry);
      return { atMs, text, stream };
    })
  );
  return lines.sort((a, b) => a.atMs - b.atMs).slice(-KEPT_LINES);
}

/**
 * Returns the time of the next log line after a given time, in milliseconds since the epoch;
 * `Infinity` if there is none.
 */
export function nextLineMs(
  logs: ContainerScript["logs"],
  { startedMs, endMs }: RunTime,
  afterMs: number,
): number {
  const times = (logs ?? []).map((entry) => {
    const { afterMs: delayMs = 0, everyMs } = normal(entry);
    const firstMs = startedMs + delayMs;
    if (firstMs > afterMs) return firstMs;
    if (everyMs === undefined) return Infinity;
    return firstMs + (Math.floor((afterMs - firstMs) / everyMs) + 1) * everyMs;
  });
  const next = Math.min(Infinity, ...times);
  return next <= endMs ? next : Infinity;
}

function normal(entry: LogEntry): Exclude<LogEntry, string> {
  return typeof entry === "string" ? { text: entry } : entry;
}

/**
 * Returns the times after `afterMs`, up to and including `untilMs`, at which an entry of a scripted
 * log is written, in milliseconds since the epoch; at most the last 100,000.
 */
function timesOf(
  { afterMs: delayMs = 0, everyMs }: Exclude<LogEntry, string>,
  startedMs: number,
  afterMs: number,
  untilMs: number,
): number[] {
  const firstMs = startedMs + delayMs;
  if (everyMs === undefined) return firstMs > afterMs && firstMs <= untilMs ? [firstMs] : [];
  if (firstMs > untilMs) return [];
  const last = Math.floor((untilMs - firstMs) / everyMs);
  const begun = afterMs < firstMs ? 0 : Math.floor((afterMs - firstMs) / everyMs) + 1;
  const first = Math.max(begun, last - KEPT_LINES + 1);
  return Array.from(
    { length: Math.max(0, last - first + 1) },
    (_, at) => firstMs + (first + at) * everyMs,
  );
}
