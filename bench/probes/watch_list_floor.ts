// The baseline of a first state by WatchList: reads the stream of pods by `node:https` until the
// bookmark that ends it, and keeps nothing. The bench drives it as it drives `informer.ts`, by the
// command `sync` alone; the kubeconfig is that of the environment variable `KUBECONFIG`.
import { Buffer } from "node:buffer";
import https from "node:https";
import process from "node:process";
import { createInterface } from "node:readline";
import { measured } from "./figures.ts";
import { floorConfig } from "./floor_config.ts";

const QUERY = new URLSearchParams({
  watch: "true",
  sendInitialEvents: "true",
  resourceVersionMatch: "NotOlderThan",
  allowWatchBookmarks: "true",
});
/** The annotation of the bookmark that ends the first state, and a bound of that bookmark's size. */
const END = "k8s.io/initial-events-end";
const END_BYTES = 2_048;

async function readFirstState(): Promise<void> {
  const { server, ...tls } = await floorConfig();
  await new Promise<void>((resolve, reject) => {
    const request = https.get(`${server}/api/v1/pods?${QUERY}`, tls, (answer) => {
      let tail = Buffer.alloc(0);
      answer.on("data", (chunk: Uint8Array) => {
        tail = Buffer.concat([tail, chunk.subarray(-END_BYTES)]).subarray(-END_BYTES);
        if (!tail.includes(END)) return;
        resolve();
        request.destroy();
      });
      answer.on("close", () => reject(new Error(`the stream ended early: ${tail}`)));
    });
    request.on("error", reject);
  });
}

for await (const _ of createInterface({ input: process.stdin })) {
  const figures = await measured(readFirstState);
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(figures) + "\n"));
}
Deno.exit(0);
