/**
 * The pod labeller: a controller for some of the pods only. It watches one namespace, narrowed by a
 * field selector, and gives each pod there a label.
 *
 * Two things keep it right when something goes wrong:
 *
 * - The resync period: now and then it is told of every pod again, from its cache, so a pod that it
 *   gave up on gets another chance.
 * - Tombstones: when a pod was deleted while the connection was down, nobody can say what its last
 *   state was. The deletion then carries the last state that was seen. A key is all it takes here.
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

/** The label that each pod gets. */
export const LABEL = { "example.org/seen": "true" };

/** How often a pod is tried again before it is left to the next resync. */
const MAX_RETRIES = 3;

/** Options for {@linkcode labelPods}. */
export interface LabelPodsOptions {
  /** The namespace whose pods are labelled. */
  readonly namespace: string;
  /** Which of them, as `spec.nodeName=node-1`. The server selects, so no others come here at all. */
  readonly fieldSelector: string;
  /** How often to look at every pod again, in milliseconds. @default {300_000} */
  readonly resyncPeriodMs?: number;
  /** Ends the controller. */
  readonly signal: AbortSignal;
  /** Takes each line. */
  readonly print: (line: string) => void;
  /** Where time comes from. @default {systemClock} */
  readonly clock?: Clock;
}

/** Labels the pods selected, those there are and those that come, until it is told to stop. */
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
  await informer.whenSynced(signal);
  const working = work(queue, (key) => label(key, informer.indexer, client, print), print);
  await running;
  queue.shutDown();
  await working;
}

/** Looks at what is there now, and writes only what is missing. */
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

/** One worker. A pod that keeps failing is left alone until the next resync brings its key again. */
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
