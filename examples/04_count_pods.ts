/**
 * The pod counter: says every ten seconds how many pods there are. No cache, no watch: a client and a
 * list are enough for a program that looks now and then.
 *
 * It runs outside a cluster with your kubeconfig, and inside one as a pod with its service account;
 * the account must be allowed to list pods.
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

/** How long to wait between two counts. */
const PERIOD_MS = 10_000;

/** Options for {@linkcode countPods}. */
export interface CountPodsOptions {
  /** Ends the counting. */
  readonly signal: AbortSignal;
  /** Takes each line. */
  readonly print: (line: string) => void;
  /** Where time comes from. @default {systemClock} */
  readonly clock?: Clock;
}

/** Counts the pods of all namespaces every ten seconds, until it is told to stop. */
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

/** One count, page by page: no more than 500 pods are held at a time. A refusal may pass by itself. */
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
