import assert from "node:assert/strict";
import { createClient } from "@xca/operator/client";
import { Pod, type UnstructuredObject } from "@xca/operator/meta";
import { planeSuite } from "../tests/real/suite.ts";
import { until } from "../tests/support/until.ts";
import { logPods } from "./01_pod_logger.ts";

function pod(name: string): UnstructuredObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default" },
    spec: { containers: [{ name: "main", image: "example" }] },
  };
}

const suite = planeSuite();

suite.test("example 01: prints additions, updates and deletions of pods", async (plane) => {
  using client = createClient(plane.config);
  await client.create(Pod, pod("early"));
  const lines: string[] = [];
  const stop = new AbortController();
  const logging = logPods(client, { signal: stop.signal, print: (line) => lines.push(line) });

  await until(() => lines.includes("Sync/Add/Update for Pod early"));
  await client.create(Pod, pod("late"));
  await until(() => lines.includes("Sync/Add/Update for Pod late"));
  await client.delete(Pod, "default/early", { gracePeriodSeconds: 0 });
  await until(() => lines.includes("Pod default/early does not exist"));
  stop.abort();
  await logging;
  await client.delete(Pod, "default/late", { gracePeriodSeconds: 0 });
});

Deno.test("example 01: a stop before the first list ends it without an error", async () => {
  using client = createClient({ server: "http://127.0.0.1:9" });
  const stop = new AbortController();
  const logging = logPods(client, { signal: stop.signal, print: () => {} });
  stop.abort();
  await logging;
});

suite.test("example 01: a key that keeps failing is tried five more times, then dropped", async (plane) => {
  using client = createClient(plane.config);
  await client.create(Pod, pod("bad"));
  const lines: string[] = [];
  const stop = new AbortController();
  let tries = 0;
  const logging = logPods(client, {
    signal: stop.signal,
    print: (line) => lines.push(line),
    sync: () => {
      tries++;
      throw new Error("cannot be synced");
    },
  });

  await until(() => lines.some((line) => line.startsWith("Dropping pod")));
  stop.abort();
  await logging;
  assert.equal(tries, 6);
  assert.deepEqual(lines, [
    ...Array.from({ length: 5 }, () => "Error syncing pod default/bad: Error: cannot be synced"),
    "Dropping pod default/bad out of the queue: Error: cannot be synced",
  ]);
  await client.delete(Pod, "default/bad", { gracePeriodSeconds: 0 });
});
