import process from "node:process";
import { systemClock } from "../../lib/apimachinery/base/time/clock.ts";

/** The granularity of a thread's CPU time on some kernels, in milliseconds. */
const TICK_MS = 10;

/**
 * Measures how long the event loop is blocked, by the delay of a timer that is always due. Time in
 * which other programs had the processor does not count.
 */
export class Heartbeat implements Disposable {
  #stopped = false;
  #lastMs = systemClock.monotonicMs();
  #lastCpuMs = cpuMs();
  #longestMs = 0;

  constructor() {
    this.#beat();
  }

  /** The longest hold since the last {@linkcode Heartbeat.reset}, in milliseconds. */
  get longestMs(): number {
    return Math.max(this.#longestMs, this.#sinceBeat());
  }

  /** Begins to measure anew. */
  reset(): void {
    this.#longestMs = 0;
    this.#lastMs = systemClock.monotonicMs();
    this.#lastCpuMs = cpuMs();
  }

  [Symbol.dispose](): void {
    this.#stopped = true;
  }

  #sinceBeat(): number {
    const wallMs = systemClock.monotonicMs() - this.#lastMs;
    return Math.min(wallMs, cpuMs() - this.#lastCpuMs + TICK_MS);
  }

  #beat(): void {
    this.#longestMs = this.longestMs;
    this.#lastMs = systemClock.monotonicMs();
    this.#lastCpuMs = cpuMs();
    systemClock.after(0, () => {
      if (!this.#stopped) this.#beat();
    }).unref();
  }
}

/** The CPU time of this thread, in milliseconds. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The longest hold of the event loop while work is done, in milliseconds. */
export async function longestHold(work: () => Promise<unknown>): Promise<number> {
  using heartbeat = new Heartbeat();
  const turn = (): Promise<void> => new Promise((resolve) => systemClock.after(2, resolve));
  await turn();
  heartbeat.reset();
  await work();
  await turn();
  return heartbeat.longestMs;
}
