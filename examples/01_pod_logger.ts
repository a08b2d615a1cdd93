/**
 * The pod logger: an informer fills a store and a work queue with the changes of pods, and one
 * worker takes the keys from the queue and looks each up in the store.
 *
 * No code acts on an event itself: the event names a key that needs attention, and the store has
 * the current state.
 *
 * ```sh
 * deno run --allow-net --allow-read --allow-env examples/01_pod_logger.ts
 * ```
 *
 * @module
 */
import { listWatch, newInformer, type StoreReader } from "@xca/operator/cache";
import { type Client, createClient, loadConfig } from "@xca/operator/client";
import {
  deletionKeyOf,
  keyOf,
  type ObjectKey,
  Pod,
  type UnstructuredObject,
} from "@xca/operator/meta";
import { RateLimitingQueue } from "@xca/operator/workqueue";
import { runExample } from "./run_example.ts";

/** The number of retries of a pod's key after which the worker drops the key. */
const MAX_RETRIES = 5;

type Pods = StoreReader<UnstructuredObject>;

/** Options for {@linkcode logPods}, which logs the changes of pods. */
export interface PodLoggerOptions {
  /** The signal that stops the pod logger. */
  readonly signal: AbortSignal;
  /** Receives each line that the logger prints. */
  readonly print: (line: string) => void;
  /** Handles a pod's key; the worker retries the key if this function fails. @default {printPod} */
  readonly sync?: (key: ObjectKey, pods: Pods) => void | Promise<void>;
}

/**
 * Logs the changes of pods in all namespaces, existing pods included, until the signal is aborted.
 */
export async function logPods(client: Client, options: PodLoggerOptions): Promise<void> {
  const { signal, print } = options;
  const queue = new RateLimitingQueue<ObjectKey>();
  const { store: pods, controller } = newInformer<UnstructuredObject>({
    listerWatcher: listWatch(client, Pod),
    type: Pod,
    resyncPeriodMs: 0,
    handler: {
      onAdd: (pod) => queue.add(keyOf(pod)),
      onUpdate: (_old, pod) => queue.add(keyOf(pod)),
      onDelete: (pod) => queue.add(deletionKeyOf(pod)),
    },
  });

  const running = controller.run(signal);
  try {
    await controller.whenSynced(signal);
  } catch (error) {
    // A stop before the first list is an ordinary end.
    if (!signal.aborted) throw error;
  }
  const sync = options.sync ?? ((key) => printPod(key, pods, print));
  const working = work(queue, (key) => sync(key, pods), print);
  await running;
  queue.shutDown();
  await working;
}

/** Prints whether the pod with a key exists in the store. */
function printPod(key: ObjectKey, pods: Pods, print: (line: string) => void): void {
  const pod = pods.get(key);
  if (pod) print(`Sync/Add/Update for Pod ${pod.metadata.name}`);
  else print(`Pod ${key} does not exist`);
}

/**
 * Runs a worker: takes keys from the queue and calls `sync` with each, until the queue is shut
 * down. A failed key is retried later.
 */
async function work(
  queue: RateLimitingQueue<ObjectKey>,
  sync: (key: ObjectKey) => void | Promise<void>,
  print: (line: string) => void,
): Promise<void> {
  while (true) {
    using lease = await queue.get();
    if (!lease) return;
    const { key } = lease;
    try {
      await sync(key);
      queue.forget(key);
    } catch (error) {
      retry(queue, key, error, print);
    }
  }
}

/** Retries a failed key of the queue up to five times; then reports the error and drops the key. */
function retry(
  queue: RateLimitingQueue<ObjectKey>,
  key: ObjectKey,
  error: unknown,
  print: (line: string) => void,
): void {
  if (queue.numRequeues(key) < MAX_RETRIES) {
    print(`Error syncing pod ${key}: ${error}`);
    queue.addRateLimited(key);
  } else {
    queue.forget(key);
    print(`Dropping pod ${key} out of the queue: ${error}`);
  }
}

if (import.meta.main) {
  await runExample(async () => {
    const stop = new AbortController();
    Deno.addSignalListener("SIGINT", () => stop.abort());
    using client = createClient(await loadConfig());
    // deno-lint-ignore no-console
    const print = (line: string): void => console.log(line);
    await logPods(client, { signal: stop.signal, print });
  });
}
