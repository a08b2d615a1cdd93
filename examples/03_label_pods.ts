/**
 * The pod labeller: a controller for some of the pods. It watches one namespace with a field
 * selector, and labels each selected pod.
 *
 * Two mechanisms keep it correct after failures:
 *
 * - The resync period: the controller is periodically notified of every pod in its cache again, so
 *   that a pod that it gave up on is tried again.
 * - Tombstones: when a pod is deleted while the connection is down, its last state is unknown. The
 *   deletion then carries the last observed state, of which the controller needs only the key.
 *
 * ```sh
 * deno run --allow-net --allow-read --allow-env examples/03_label_pods.ts
 * ```
 *
 * @module
 */
import { listWatch, SharedInformer, type StoreReader } from "@xca/operator/cache";
import {
  type Client,
  createClient,
  ignoreNotFound,
  loadConfig,
  mergePatch,
} from "@xca/operator/client";
import {
  deletionKeyOf,
  keyOf,
  type ObjectKey,
  Pod,
  type UnstructuredObject,
} from "@xca/operator/meta";
import { type Clock, systemClock } from "@xca/operator/base";
import { RateLimitingQueue } from "@xca/operator/workqueue";
import { runExample } from "./run_example.ts";

/** The label that the controller sets on each pod, as a record of its key and value. */
export const LABEL = { "example.org/seen": "true" };

/**
 * The number of retries of a pod's key after which the worker leaves the pod to the next resync.
 */
const MAX_RETRIES = 3;

/** Options for {@linkcode labelPods}, which labels pods. */
export interface LabelPodsOptions {
  /** The namespace of the pods to label. */
  readonly namespace: string;
  /**
   * The field selector of the pods to label, such as `spec.nodeName=node-1`. The server applies it,
   * so that other pods are never sent.
   */
  readonly fieldSelector: string;
  /** The interval at which every pod is examined again, in milliseconds. @default {300_000} */
  readonly resyncPeriodMs?: number;
  /** The signal that stops the controller. */
  readonly signal: AbortSignal;
  /** Receives each line that the controller prints. */
  readonly print: (line: string) => void;
  /** The clock of the controller. @default {systemClock} */
  readonly clock?: Clock;
}

/** Labels the selected pods, existing and new ones, until the signal is aborted. */
export async function labelPods(client: Client, options: LabelPodsOptions): Promise<void> {
  const { namespace, fieldSelector, signal, print, clock = systemClock } = options;
  const queue = new RateLimitingQueue<ObjectKey>({ clock });
  const informer = new SharedInformer<UnstructuredObject>({
    type: Pod,
    listerWatcher: listWatch(client, Pod, { namespace, fieldSelector }),
    resyncPeriodMs: options.resyncPeriodMs ?? 300_000,
    clock,
  });
  informer.addHandler({
    onAdd: (pod) => queue.add(keyOf(pod)),
    onUpdate: (_old, pod) => queue.add(keyOf(pod)),
    onDelete: (pod) => {
      if (pod.finalStateUnknown) print(`${pod.key} was deleted while nobody watched`);
      queue.add(deletionKeyOf(pod));
    },
  });

  const running = informer.run(signal);
  try {
    await informer.whenSynced(signal);
  } catch (error) {
    // A stop before the first list is an ordinary end.
    if (!signal.aborted) throw error;
  }
  const working = work(queue, (key) => label(key, informer.indexer, client, print), print);
  await running;
  queue.shutDown();
  await working;
}

/**
 * Reads a pod from the informer's cache, and writes the label if the pod lacks it. Writes nothing
 * if the pod was deleted; rejects if another pod has taken its name, so that the worker tries the
 * key again.
 */
async function label(
  key: ObjectKey,
  pods: StoreReader,
  client: Client,
  print: (line: string) => void,
): Promise<void> {
  const pod = pods.getPacked(key);
  if (!pod) return print(`${key} is gone`);
  if (Object.entries(LABEL).every(([name, value]) => pod.labels[name] === value)) return;
  const patch = mergePatch({ metadata: { uid: pod.uid, labels: LABEL } });
  const labelled = await ignoreNotFound(client.patch(Pod, key, patch));
  if (labelled) print(`${key} is labelled`);
}

/**
 * Runs a worker of the controller. A pod that keeps failing is left until the next resync adds its
 * key again.
 */
async function work(
  queue: RateLimitingQueue<ObjectKey>,
  sync: (key: ObjectKey) => Promise<void>,
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
      const again = queue.numRequeues(key) < MAX_RETRIES;
      print(`${key} cannot be labelled${again ? "" : ", left to the next resync"}: ${error}`);
      if (again) queue.addRateLimited(key);
      else queue.forget(key);
    }
  }
}

if (import.meta.main) {
  await runExample(async () => {
    const stop = new AbortController();
    Deno.addSignalListener("SIGINT", () => stop.abort());
    const config = await loadConfig();
    using client = createClient(config);
    await labelPods(client, {
      namespace: config.namespace ?? "default",
      fieldSelector: "status.phase=Running",
      signal: stop.signal,
      // deno-lint-ignore no-console
      print: (line) => console.log(line),
    });
  });
}
