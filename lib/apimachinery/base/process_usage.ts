import process from "node:process";

/** The resources that an operating system process has used. */
export interface ProcessUsage {
  /** The sum of the user and system CPU time since the start of the process, in seconds. */
  readonly cpuSeconds: number;
  /** The resident memory of the process, in bytes. */
  readonly residentBytes: number;
  /** The memory of the JavaScript heap that is in use, in bytes. */
  readonly heapUsedBytes: number;
  /** The start of the process, in seconds since the epoch. */
  readonly startSeconds: number;
}

/** Returns the resources that this process has used until now. Needs no permission. */
export function processUsage(): ProcessUsage {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = Deno.memoryUsage();
  return {
    cpuSeconds: (user + system) / 1_000_000,
    residentBytes: rss,
    heapUsedBytes: heapUsed,
    startSeconds: performance.timeOrigin / 1_000,
  };
}
