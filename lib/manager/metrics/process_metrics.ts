import type { Clock, Timer } from "@xca/apimachinery/base";
import {
  networkBytes,
  openFiles,
  processLimits,
  type ProcessUsage,
  processUsage,
  virtualBytes,
} from "@xca/apimachinery/internal/base";
import { EVENT_LOOP_LAG, PROCESS } from "./catalogue.ts";
import type { MetricsRegistry } from "./registry.ts";

/** The interval at which the lag of the event loop is measured, in milliseconds. */
const LAG_INTERVAL_MS = 1_000;

/**
 * Registers the metrics of the process: CPU time, memory, start time, file descriptors and network.
 * Metrics that are read from files of Linux have no series where the process may not read the
 * files.
 */
export function processMetrics(
  registry: MetricsRegistry,
  usage: () => ProcessUsage = processUsage,
): void {
  registry.collect(PROCESS.cpu, () => [[{}, usage().cpuSeconds]]);
  registry.collect(PROCESS.resident, () => [[{}, usage().residentBytes]]);
  registry.collect(PROCESS.heap, () => [[{}, usage().heapUsedBytes]]);
  registry.collect(PROCESS.start, () => [[{}, usage().startSeconds]]);
  registry.collect(PROCESS.openFiles, () => known(openFiles()));
  registry.collect(PROCESS.maxFiles, () => known(processLimits()?.openFiles));
  registry.collect(PROCESS.virtual, () => known(virtualBytes()));
  registry.collect(PROCESS.maxVirtual, () => known(processLimits()?.addressSpace));
  registry.collect(PROCESS.received, () => known(networkBytes()?.received));
  registry.collect(PROCESS.sent, () => known(networkBytes()?.sent));
}

/** Returns the series of a figure without labels; none for an unknown figure. */
function known(figure: number | undefined): [Record<never, string>, number][] {
  return figure === undefined ? [] : [[{}, figure]];
}

/**
 * Measures the lag of the event loop once a second, in a histogram of the registry, until the
 * result is disposed. The timer does not keep the process alive.
 */
export function measureEventLoopLag(registry: MetricsRegistry, clock: Clock): Disposable {
  const lag = registry.histogram(EVENT_LOOP_LAG).with({});
  let timer: Timer;
  const arm = (): void => {
    const dueMs = clock.monotonicMs() + LAG_INTERVAL_MS;
    timer = clock.after(LAG_INTERVAL_MS, () => {
      lag.observe(Math.max(0, clock.monotonicMs() - dueMs) / 1_000);
      arm();
    }).unref();
  };
  arm();
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}
