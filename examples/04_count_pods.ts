/**
 * The pod counter: prints the number of pods every ten seconds. A client and a list are enough for
 * a program that reads now and then; it needs no cache and no watch.
 *
 * Outside of a cluster it uses your kubeconfig, and in a pod the service account, which must be
 * allowed to list pods.
 *
 * ```sh
 * deno run --allow-net --allow-read --allow-env examples/04_count_pods.ts
 * ```
 *
 * @module
 */
import { type Clock, delay, systemClock } from "@xca/operator/base";
import {
  ApiError,
  type Client,
  createClient,
  loadConfig,
  UnreachableError,
} from "@xca/operator/client";
import { Pod } from "@xca/operator/meta";
import { runExample } from "./run_example.ts";

/** Interval between two counts, in milliseconds. */
const PERIOD_MS = 10_000;

/** Options for {@linkcode countPods}, which counts pods. */
export interface CountPodsOptions {
  /** The signal that stops the pod counter. */
  readonly signal: AbortSignal;
  /** Receives each line that the counter prints. */
  readonly print: (line: string) => void;
  /** The clock that measures the interval between counts. @default {systemClock} */
  readonly clock?: Clock;
}

/** Counts the pods of all namespaces every ten seconds until the signal is aborted. */
export async function countPods(client: Client, options: CountPodsOptions): Promise<void> {
  const { signal, print, clock = systemClock } = options;
  try {
    while (true) {
      print(await count(client, signal));
      await delay(PERIOD_MS, { clock, signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/**
 * Returns the number of pods in all namespaces as a sentence, or the reason why they cannot be
 * counted, which may be temporary. The pods are read page by page, with at most 500 in memory.
 */
async function count(client: Client, signal: AbortSignal): Promise<string> {
  let pods = 0;
  try {
    for await (const page of client.pages(Pod, { signal })) pods += page.items.length;
    return `There are ${pods} pods in the cluster`;
  } catch (error) {
    if (error instanceof ApiError || error instanceof UnreachableError) {
      return `The pods cannot be counted now: ${error.message}`;
    }
    throw error;
  }
}

if (import.meta.main) {
  await runExample(async () => {
    const stop = new AbortController();
    Deno.addSignalListener("SIGINT", () => stop.abort());
    using client = createClient(await loadConfig());
    // deno-lint-ignore no-console
    await countPods(client, { signal: stop.signal, print: (line) => console.log(line) });
  });
}
