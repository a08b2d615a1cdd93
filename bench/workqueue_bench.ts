// The work queue through its public door: 200 000 keys added, added again, taken by
// `using lease = await queue.get()`, and done. Prints operations per second (four per key), the
// median of several rounds, with metrics recorded and without.
//
//   deno run bench/workqueue_bench.ts
//
// deno-lint-ignore-file no-console
import { type MetricsProvider, Queue } from "@xca/operator/workqueue";

const KEYS = 200_000;
const ROUNDS = 15;
const WARM_UP = 3;

/** Instruments as cheap as a registry's: each keeps a number. */
function countingMetrics(): MetricsProvider {
  const instrument = () => {
    let value = 0;
    return {
      inc: () => void value++,
      dec: () => void value--,
      set: (to: number) => void (value = to),
      observe: (seen: number) => void (value += seen),
    };
  };
  return {
    depth: instrument,
    adds: instrument,
    latency: instrument,
    workDuration: instrument,
    unfinishedWorkSeconds: instrument,
    longestRunningProcessorSeconds: instrument,
    retries: instrument,
  };
}

/** One round: milliseconds for all operations on all keys. */
async function round(keys: readonly string[], metrics?: MetricsProvider): Promise<number> {
  const queue = new Queue<string>({ name: "bench", metrics });
  const startMs = performance.now();
  for (const key of keys) queue.add(key);
  for (const key of keys) queue.add(key);
  let taken = 0;
  while (true) {
    using lease = await queue.get();
    if (!lease) break;
    if (++taken === keys.length) queue.shutDown();
  }
  return performance.now() - startMs;
}

async function measure(label: string, metrics?: MetricsProvider): Promise<void> {
  const keys = Array.from({ length: KEYS }, (_, index) => `default/object-${index}`);
  const times: number[] = [];
  for (let at = 0; at < WARM_UP + ROUNDS; at++) {
    const ms = await round(keys, metrics);
    if (at >= WARM_UP) times.push(ms);
  }
  times.sort((a, b) => a - b);
  const millions = (ms: number): string => (4 * KEYS / ms / 1_000).toFixed(2);
  const [best, median, worst] = [times[0]!, times[times.length >> 1]!, times.at(-1)!];
  console.log(
    `${label.padEnd(16)} ${millions(median)} M ops/s (${millions(worst)} to ${millions(best)})`,
  );
}

await measure("metrics on", countingMetrics());
await measure("metrics off");
