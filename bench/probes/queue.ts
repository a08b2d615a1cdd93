// This library's work queue through its public entry point: keys added, added again, taken by
// `using lease = await queue.get()`, and done. The argument behind the number of keys is "plain" for
// a queue without metrics, "metered" for one with metrics, or "mixed" for the same where all keys are
// added at a low priority, and every second one again at the default. A round runs at each line of
// standard input, and is answered by one line of figures, as in `peers/queue/main.go`.
import process from "node:process";
import { createInterface } from "node:readline";
import { type MetricsProvider, Queue } from "@xca/operator/workqueue";
import { cpuMs } from "./figures.ts";

/** A metric as cheap as that of a metrics registry: it keeps a number. */
class Instrument {
  value = 0;
  inc(): void {
    this.value++;
  }
  dec(): void {
    this.value--;
  }
  set(to: number): void {
    this.value = to;
  }
  observe(seen: number): void {
    this.value += seen;
  }
}

const instrument = (): Instrument => new Instrument();
const metrics: MetricsProvider = {
  depth: instrument,
  adds: instrument,
  latency: instrument,
  workDuration: instrument,
  unfinishedWorkSeconds: instrument,
  longestRunningProcessorSeconds: instrument,
  retries: instrument,
};

async function round(kind: string, keys: readonly string[]): Promise<void> {
  const queue = new Queue<string>(kind === "plain" ? {} : { name: "bench", metrics });
  if (kind === "mixed") {
    for (const key of keys) queue.add(key, { priority: -100 });
    for (const [at, key] of keys.entries()) {
      queue.add(key, at % 2 === 0 ? undefined : { priority: -100 });
    }
  } else {
    for (const key of keys) queue.add(key);
    for (const key of keys) queue.add(key);
  }
  let taken = 0;
  while (true) {
    using lease = await queue.get();
    if (!lease) break;
    if (++taken === keys.length) queue.shutDown();
  }
}

const [count, kind = "metered"] = Deno.args;
const keys = Array.from({ length: Number(count) }, (_, at) => `default/object-${at}`);
const encoder = new TextEncoder();
for await (const _ of createInterface({ input: process.stdin })) {
  const [startMs, startCpuMs] = [performance.now(), cpuMs()];
  await round(kind, keys);
  const figures = { wallMs: performance.now() - startMs, cpuMs: cpuMs() - startCpuMs };
  Deno.stdout.writeSync(encoder.encode(JSON.stringify(figures) + "\n"));
}
