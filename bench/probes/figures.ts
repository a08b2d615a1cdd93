// Measurements that a process of the bench makes of itself.
import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Returns the CPU time of this process so far, all threads, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Measures the time that work takes, and the memory in use after the work; the times are 0 when
 * `timed` is false.
 */
export async function measured(
  work: () => unknown,
  timed: boolean = true,
): Promise<Record<string, number>> {
  const [startMs, startCpuMs] = [performance.now(), cpuMs()];
  await work();
  const times = timed
    ? { wallMs: performance.now() - startMs, cpuMs: cpuMs() - startCpuMs }
    : { wallMs: 0, cpuMs: 0 };
  const { heapTotal, heapUsed, external } = Deno.memoryUsage();
  return {
    ...times,
    processCpuMs: cpuMs(),
    rssKb: statusKb("VmRSS"),
    peakKb: statusKb("VmHWM"),
    heapKb: heapTotal / 1024,
    heapUsedKb: heapUsed / 1024,
    externalKb: external / 1024,
  };
}

/** Returns the value of a field of `/proc/self/status` such as `VmRSS`, in KB. */
export function statusKb(field: string): number {
  const text = Deno.readTextFileSync("/proc/self/status");
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(text)?.[1]);
}

/** Resets the peak of this process's resident memory. */
export function resetPeak(): void {
  Deno.writeTextFileSync("/proc/self/clear_refs", "5");
}

/** Waits until the resident memory has not fallen for three seconds; at most twenty seconds. */
export async function settle(): Promise<void> {
  await notFallingFor(6, 40);
}

/**
 * Waits until the resident memory has not fallen for 45 seconds, at most five minutes: V8 collects
 * garbage by itself some half a minute after the last work.
 */
export async function rest(): Promise<void> {
  await notFallingFor(90, 600);
}

/**
 * Waits until the resident memory has not fallen by 1 % in `looks` successive checks, two per
 * second; makes at most `atMost` checks.
 */
async function notFallingFor(looks: number, atMost: number): Promise<void> {
  let least = statusKb("VmRSS");
  for (let quiet = 0, waited = 0; quiet < looks && waited < atMost; waited++) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const now = statusKb("VmRSS");
    if (now < least * 0.99) [least, quiet] = [now, 0];
    else quiet++;
  }
}

/** Collects garbage, as no program does by itself, to show the memory that is certainly in use. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let i = 0; i < 3; i++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Returns the time during which this thread was ready to run and had no CPU, so far, in
 * milliseconds. 0 where the kernel does not report it.
 */
function waitedForCpuMs(): number {
  try {
    const [, waitedNs] = Deno.readTextFileSync(`/proc/self/task/${Deno.pid}/schedstat`).split(" ");
    return Number(waitedNs) / 1e6;
  } catch {
    return 0;
  }
}

/**
 * The delay of the timer by which {@linkcode LoopWatch} observes the event loop, in milliseconds:
 * no timer is shorter.
 */
const TIMER_MS = 1;

/**
 * A measurement of the longest time that the event loop is held: how late a repeated timer fires.
 * Time in which other processes had the CPU is left out.
 */
export class LoopWatch {
  #worstMs = 0;
  #lastMs = performance.now();
  #waitedMs = waitedForCpuMs();
  #timer: ReturnType<typeof setTimeout>;

  constructor() {
    this.#timer = setTimeout(() => this.#tick(), TIMER_MS);
  }

  /** Ends the measurement and returns the longest delay of a timer, in milliseconds. */
  async end(): Promise<number> {
    await new Promise((resolve) => setTimeout(resolve, 5));
    clearTimeout(this.#timer);
    return this.#worstMs;
  }

  #tick(): void {
    const waitedMs = waitedForCpuMs();
    const tookMs = performance.now() - this.#lastMs - (waitedMs - this.#waitedMs);
    this.#worstMs = Math.max(this.#worstMs, tookMs - TIMER_MS);
    this.#waitedMs = waitedMs;
    this.#lastMs = performance.now();
    this.#timer = setTimeout(() => this.#tick(), TIMER_MS);
  }
}
