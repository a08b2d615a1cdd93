import assert from "node:assert/strict";
import { createClient } from "@xca/operator/client";
import { Namespace, Pod } from "@xca/operator/meta";
import { FakeClock } from "@xca/operator/testing";
import { planeSuite } from "../tests/real/suite.ts";
import { until } from "../tests/support/until.ts";
import { countPods } from "./04_count_pods.ts";

const suite = planeSuite();

suite.test("example 04: says every ten seconds how many pods there are, in all namespaces", async (plane) => {
  using client = createClient(plane.config);
  const clock = new FakeClock();
  const lines: string[] = [];
  const stop = new AbortController();
  const counting = countPods(client, {
    signal: stop.signal,
    print: (line) => lines.push(line),
    clock,
  });
  const waits = (): boolean => clock.pending === 1;
  await until(waits);
  assert.deepEqual(lines, ["There are 0 pods in the cluster"]);

  await client.create(Namespace, { metadata: { name: "other" } });
  for (const namespace of ["default", "other"]) {
    const spec = { containers: [{ name: "main", image: "example" }] };
    await client.create(Pod, { metadata: { name: "web", namespace }, spec });
  }
  clock.step(9_999);
  assert.equal(clock.nextInMs, 1, "it still waits");
  clock.step(1);
  await until(waits);
  assert.deepEqual(lines.slice(1), ["There are 2 pods in the cluster"]);
  stop.abort();
  await counting;
  assert.equal(clock.pending, 0);
});

suite.test("example 04: who may not list pods is told so, and counts on", async (plane) => {
  using client = createClient((await plane.addUser("nobody")).config);
  const clock = new FakeClock();
  const lines: string[] = [];
  const stop = new AbortController();
  const counting = countPods(client, {
    signal: stop.signal,
    print: (line) => lines.push(line),
    clock,
  });
  await until(() => clock.pending === 1);
  assert.match(lines[0]!, /^The pods cannot be counted now: pods is forbidden: User "nobody"/);
  clock.step(10_000);
  await until(() => lines.length === 2);
  stop.abort();
  await counting;
});
