/**
 * One deleted pod, followed from the server's bytes to the worker that acts on it. The parts are wired
 * by hand, as the shared informer wires them, with a line printed at each; `docs/architecture.md`
 * shows these lines, and this test holds it to them.
 */
import assert from "node:assert/strict";
import type { ListerWatcher } from "@xca/operator/cache";
import { Pod, type UnstructuredObject } from "@xca/operator/meta";
import { Queue } from "@xca/operator/workqueue";
import { DeltaFifo, type FifoItem } from "../lib/cache/feed/delta_fifo.ts";
import { createPacker } from "../lib/cache/packed/packer.ts";
import { Reflector } from "../lib/cache/reflector/reflector.ts";
import { Indexer } from "../lib/cache/store/indexer.ts";

const POD = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace: "shop", uid: "7c9e", resourceVersion: "41" },
  spec: { nodeName: "node-1" },
};

const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** A server with one pod, that then deletes it: what a LIST and a WATCH bring. */
function server(print: (line: string) => void): ListerWatcher {
  return {
    list: (_query, onItems) => {
      print("server     LIST: 1 pod at resourceVersion 41");
      onItems([bytes(POD)]);
      return Promise.resolve({ metadata: { resourceVersion: "41" } });
    },
    watch: (query, { signal }) => {
      print(`server     WATCH from resourceVersion ${query.resourceVersion}`);
      return Promise.resolve((async function* () {
        const last = { ...POD, metadata: { ...POD.metadata, resourceVersion: "42" } };
        print("server     sends DELETED shop/web at resourceVersion 42, as one line of JSON");
        yield [{ type: "DELETED" as const, object: bytes(last) }];
        await new Promise((resolve) => signal!.addEventListener("abort", resolve, { once: true }));
      })());
    },
  };
}

Deno.test("the life of an event is as docs/architecture.md describes it", async () => {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const stop = new AbortController();

  const store = new Indexer<UnstructuredObject>();
  const fifo = new DeltaFifo<UnstructuredObject>(store);
  const queue = new Queue<string>();
  const packer = createPacker<UnstructuredObject>({ type: Pod });
  const reflector = new Reflector<UnstructuredObject>({
    listerWatcher: server(print),
    type: Pod,
    packer,
    watchList: false,
    sink: {
      add: (pod) => fifo.add(pod),
      update: (pod) => fifo.update(pod),
      delete: (pod) => {
        print(
          `reflector  finds key, uid and version in the text, parses nothing: delete ${pod.key}`,
        );
        fifo.delete(pod);
      },
      replace: (pods, resourceVersion) => {
        print(`reflector  replaces all: ${pods.size} pod at resourceVersion ${resourceVersion}`);
        fifo.replace(pods, resourceVersion);
      },
      bookmark: (resourceVersion) => fifo.bookmark(resourceVersion),
    },
  });

  const work = (item: FifoItem<UnstructuredObject>): void => {
    if (item.kind === "replaced") {
      store.replace(item.objects, item.resourceVersion);
      print(`store      has ${store.keys().join()}`);
    } else if (item.kind === "deltas") {
      for (const { type, object } of item.deltas) {
        print(`fifo       hands out ${type} ${item.key}`);
        const last = store.delete(object.key, object.resourceVersion);
        print(
          `store      drops ${last!.key}: ${store.size} pods, at version ${store.resourceVersion}`,
        );
        print(`handler    onDelete(${object.key}): adds the key to the queue, and that is all`);
        queue.add(object.key);
      }
    }
  };

  const running = reflector.run(stop.signal);
  await fifo.pop(work);
  await fifo.pop(work);
  {
    using lease = (await queue.get())!;
    const found = store.get(lease.key);
    print(
      `worker     takes ${lease.key}, looks it up: ${found ? "there" : "gone"}; cleans up after it`,
    );
  }
  stop.abort();
  await running;

  const page = Deno.readTextFileSync(new URL("../docs/architecture.md", import.meta.url));
  const [, told] = /## The life of an event[\s\S]*?```text\n([\s\S]*?)```/.exec(page) ?? [];
  assert.equal(lines.map((line) => `${line}\n`).join(""), told);
});
