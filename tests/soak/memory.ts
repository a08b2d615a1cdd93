import { delay } from "../../lib/apimachinery/base/time/delay.ts";

/** Memory at one quiet point, after garbage was collected. */
export interface MemorySample {
  /** Since the start, in minutes. */
  readonly minutes: number;
  /** Resident set size of this process, in MiB. */
  readonly rss: number;
  /** The JavaScript heap in use and the buffers it holds, in MiB. */
  readonly heap: number;
}

/** A straight line through samples, by least squares. */
export interface Slope {
  /** MiB per hour. */
  readonly perHour: number;
  /** The standard error of that. */
  readonly error: number;
}

/** The growth of each kind of memory after the warm-up. */
export interface MemoryTrend {
  /** The number of samples. */
  readonly samples: number;
  /** Reports whether the run was long enough for a rise to count. */
  readonly conclusive: boolean;
  readonly rss: Slope;
  readonly heap: Slope;
}

/**
 * The steepest rise of the heap that passes for flat, in MiB per hour. An hour brings some 100 000
 * events to each handler, so that 24 bytes kept of each event would show.
 */
export const HEAP_BOUND = 4;

/**
 * The growth of the resident set, in MiB per hour. Allocations by whole pages in V8, Rust and TLS
 * make it noisier than the heap; an hour has over a thousand connections, each of which would leak
 * tens of KiB.
 */
export const RSS_BOUND = 32;

/**
 * The first minutes do not count: code is compiled and optimized, pools, arenas and bounded tables
 * (such as that of recent deletions) fill up to their sizes.
 */
const WARM_UP_MINUTES = 15;

/** The length of a run after the warm-up, in minutes, from which on its trend is judged. */
const CONCLUSIVE_MINUTES = 10;

/** Fewer samples than this make no line. */
const MIN_SAMPLES = 6;

/** Collects garbage and looks. */
export async function sampleMemory(minutes: number): Promise<MemorySample> {
  const { gc } = globalThis as { gc?: () => void };
  if (!gc) throw new Error("Cannot measure memory: run with --v8-flags=--expose-gc");
  // What a first collection finalizes, a second can free.
  for (let pass = 0; pass < 2; pass++) {
    gc();
    await delay(50);
  }
  const { rss, heapUsed, external } = Deno.memoryUsage();
  return { minutes, rss: rss / 2 ** 20, heap: (heapUsed + external) / 2 ** 20 };
}

/**
 * The trend of the samples after the warm-up, or, of a run that is too short for one, of its later
 * three quarters; `undefined` when they are too few.
 */
export function memoryTrend(samples: readonly MemorySample[]): MemoryTrend | undefined {
  const lasted = samples.at(-1)?.minutes ?? 0;
  const conclusive = lasted >= WARM_UP_MINUTES + CONCLUSIVE_MINUTES;
  const warmMinutes = conclusive ? WARM_UP_MINUTES : lasted / 4;
  const warm = samples.filter((sample) => sample.minutes >= warmMinutes);
  if (warm.length < MIN_SAMPLES) return undefined;
  return {
    samples: warm.length,
    conclusive,
    rss: slope(warm.map(({ minutes, rss }) => [minutes / 60, rss])),
    heap: slope(warm.map(({ minutes, heap }) => [minutes / 60, heap])),
  };
}

/**
 * Returns the fault of a trend; empty without a fault. A rise counts if the run was long enough and
 * the rise exceeds its bound by two standard errors.
 */
export function memoryVerdict({ rss, heap, conclusive }: MemoryTrend): string {
  if (!conclusive) return "";
  const rises = (slope: Slope, bound: number): boolean => slope.perHour - 2 * slope.error > bound;
  if (rises(heap, HEAP_BOUND)) return `the heap grows by ${formatSlope(heap)}`;
  if (rises(rss, RSS_BOUND)) return `the resident set grows by ${formatSlope(rss)}`;
  return "";
}

/** A slope for people. */
export function formatSlope({ perHour, error }: Slope): string {
  return `${perHour.toFixed(1)} ± ${error.toFixed(1)} MiB/h`;
}

/** The slope of the line through points, by least squares, and its standard error. */
export function slope(points: readonly (readonly [number, number])[]): Slope {
  const count = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / count;
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const perHour = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const residual = points.reduce(
    (sum, [x, y]) => sum + (y - meanY - perHour * (x - meanX)) ** 2,
    0,
  );
  return { perHour, error: Math.sqrt(residual / (count - 2) / spread) };
}
