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
  const used = oncePerScrape(usage);
  registry.collect(PROCESS.cpu, used(({ cpuSeconds }) => cpuSeconds));
  registry.collect(PROCESS.resident, used(({ residentBytes }) => residentBytes));
  registry.collect(PROCESS.heap, used(({ heapUsedBytes }) => heapUsedBytes));
  registry.collect(PROCESS.start, used(({ startSeconds }) => startSeconds));
  const limits = oncePerScrape(processLimits);
  registry.collect(PROCESS.openFiles, () => known(openFiles()));
  registry.collect(PROCESS.maxFiles, limits((read) => read?.openFiles));
  registry.collect(PROCESS.virtual, () => known(virtualBytes()));
  registry.collect(PROCESS.maxVirtual, limits((read) => read?.addressSpace));
  const network = oncePerScrape(networkBytes);
  registry.collect(PROCESS.received, network((read) => read?.received));
  registry.collect(PROCESS.sent, network((read) => read?.sent));
}

/** The series of a metric without labels at a scrape: one, or none for an unknown value. */
type Figure = [Record<never, string>, number][];

/**
 * Returns a function that makes the `read` of several metrics from one reading, so that each scrape
 * takes one: a metric that has used the last reading already takes a new one, which the other
 * metrics then use.
 */
function oncePerScrape<T>(
  read: () => T,
): (figure: (reading: T) => number | undefined) => () => Figure {
  let last: { readonly reading: T } | undefined;
  return (figure) => {
    let used: typeof last;
    return () => {
      if (last === used) last = { reading: read() };
      used = last!;
      return known(figure(used.reading));
    };
  };
}

/** Returns the series of a metric without labels whose value is given; none for `undefined`. */
function known(figure: number | undefined): Figure {
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
