// This library's informer of pods, which the bench drives as it drives that of client-go: it reads
// one command a line on standard input and answers each with one line of figures. The commands are
// those of `peers/informer/main.go`, and `list`, which lists everything, parsed; `connect`, which
// makes the runtime begin its first TLS connection; and `rest`, which waits until V8 has collected
// by itself.
//
// With `held` behind them, `sync`, `relist` and `list` also answer with the longest time that the
// event loop was held; to measure this costs some CPU.
import { createInterface } from "node:readline";
import process from "node:process";
import { parseArgs } from "node:util";
import { type ObservedObject, SharedInformer } from "@xca/operator/cache";
import { listWatch, type ListWatchOptions } from "@xca/operator/cache";
import { createClient, loadConfig } from "@xca/operator/client";
import { parseKey, Pod, type UnstructuredObject } from "@xca/operator/meta";
import { collectGarbage, cpuMs, LoopWatch, measured, resetPeak, rest, settle } from "./figures.ts";

const READS = 20_000;
const LISTS = 200;

const { values: flags } = parseArgs({
  options: {
    server: { type: "string", default: "" },
    ca: { type: "string", default: "" },
    kubeconfig: { type: "string", default: "" },
    compress: { type: "boolean", default: false },
    "drop-managed-fields": { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    "no-gzip": { type: "boolean", default: false },
  },
});

const client = createClient(
  flags.kubeconfig !== ""
    ? {
      ...await loadConfig({ kubeconfig: flags.kubeconfig }),
      disableCompression: flags["no-gzip"],
    }
    : { server: flags.server, tls: { caData: await Deno.readTextFile(flags.ca) } },
);
const stop = new AbortController();
const scope: ListWatchOptions = {};
const informer = new SharedInformer<UnstructuredObject>({
  type: Pod,
  listerWatcher: listWatch(client, Pod, scope),
  compress: flags.compress,
  dropManagedFields: flags["drop-managed-fields"],
  reflector: { watchList: !flags.list },
});

/**
 * The events that the informer's handler received so far, and a caller's wait for further events.
 */
const told = {
  ...{ events: 0, read: false, sum: 0 },
  /** The resourceVersion, and the number of events, that a caller waits for. */
  ...{ until: Infinity, count: Infinity, reached: () => {} },
  /** The total number of received events at which the last wait ends. */
  followed: 0,
};

const registration = informer.addHandler({
  onAdd: note,
  onUpdate(old, current) {
    if (told.read) touch(old), touch(current);
    note(current);
  },
});

function touch(pod: ObservedObject<UnstructuredObject>): void {
  const status = pod.object.status as { phase: string };
  told.sum += pod.name.length + pod.labels["pod-template-hash"]!.length + status.phase.length;
}

function note(pod: ObservedObject<UnstructuredObject>): void {
  told.events++;
  if (Number(pod.resourceVersion) >= told.until || told.events >= told.count) told.reached();
}

async function tell(what: string, n: number): Promise<void> {
  const answer = await client.request({ method: "POST", path: `/-/${what}`, query: { n } });
  await answer.body?.cancel();
}

/**
 * Calls `begin`, and resolves when the handler has received the resourceVersion that is `events`
 * after the newest one in the cache.
 */
async function toldOf(events: number, begin: () => Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  told.until = Number(informer.indexer.resourceVersion) + events;
  told.reached = resolve;
  await begin();
  await promise;
  told.until = Infinity;
}

/**
 * Resolves when the handler received the given number of events since the end of the sync or of the
 * last such wait.
 */
async function toldMore(events: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  told.followed += events;
  told.count = told.followed;
  told.reached = resolve;
  if (told.events < told.count) await promise;
  told.count = Infinity;
}

async function reads(): Promise<Record<string, number>> {
  const keys = informer.indexer.keys();
  let startMs = cpuMs();
  for (let i = 0; i < READS; i++) {
    const key = keys[(i * 7919) % keys.length]!;
    told.sum += informer.lister.get(key)!.metadata.name!.length;
  }
  const getUs = (cpuMs() - startMs) * 1000 / READS;
  const namespace = informer.lister.namespace(parseKey(keys[0]!).namespace!);
  startMs = cpuMs();
  let listed = 0;
  for (let i = 0; i < LISTS; i++) listed = (await namespace.list()).length;
  const listUs = (cpuMs() - startMs) * 1000 / LISTS;
  startMs = cpuMs();
  for (let i = 0; i < LISTS; i++) listed = namespace.keys().length;
  return {
    objects: keys.length,
    getUs,
    listUs,
    listed,
    keysUs: (cpuMs() - startMs) * 1000 / LISTS,
    ...await sharedReads(parseKey(keys[0]!).namespace!),
  };
}

/** Measures reads of one namespace whose objects are kept parsed. */
async function sharedReads(namespace: string): Promise<Record<string, number>> {
  const { shared } = informer.lister;
  const keys = informer.lister.namespace(namespace).keys();
  for (const key of keys) shared.get(key);
  let startMs = cpuMs();
  for (let i = 0; i < READS; i++) {
    told.sum += shared.get(keys[(i * 7919) % keys.length]!)!.metadata.name!.length;
  }
  const sharedGetUs = (cpuMs() - startMs) * 1000 / READS;
  startMs = cpuMs();
  for (let i = 0; i < LISTS; i++) told.sum += (await shared.list({ namespace })).length;
  return { sharedGetUs, sharedListUs: (cpuMs() - startMs) * 1000 / LISTS };
}

/**
 * Measures the time that work takes; with `watched`, also the longest time that it holds the event
 * loop.
 */
async function timed(
  watched: boolean,
  work: () => Promise<unknown>,
): Promise<Record<string, number>> {
  if (!watched) return await measured(work);
  const loop = new LoopWatch();
  const figures = await measured(work);
  return { ...figures, heldMs: await loop.end() };
}

async function answer(command: string, first = "0", mode = ""): Promise<Record<string, number>> {
  const n = Number(first);
  const watched = [first, mode].includes("held");
  switch (command) {
    case "connect":
      return await measured(() => tell("send", 0));
    case "sync":
      return await timed(watched, async () => {
        void informer.run(stop.signal);
        await registration.whenSynced();
        told.followed = told.events;
      });
    case "watch": {
      told.read = mode === "read";
      const before = told.events;
      const figures = await measured(() => toldOf(n, () => tell("send", n)));
      return { ...figures, calls: told.events - before };
    }
    case "follow":
      return await measured(() => toldMore(n));
    case "reads":
      return await reads();
    case "settle":
      return await measured(settle, false);
    case "rest":
      return await measured(rest, false);
    case "collect":
      await collectGarbage();
      return await measured(settle, false);
    case "relist":
      resetPeak();
      return await timed(watched, () => toldOf(n, () => tell("relist", n)));
    case "list":
      resetPeak();
      return await timed(watched, () => informer.lister.list());
  }
  throw new Error(`unknown command ${command}`);
}

const encoder = new TextEncoder();
for await (const line of createInterface({ input: process.stdin })) {
  const [command, ...words] = line.split(" ");
  const figures = await answer(command!, ...words);
  Deno.stdout.writeSync(encoder.encode(JSON.stringify(figures) + "\n"));
}
Deno.exit(told.sum < 0 ? 1 : 0);
