/** Tests of the priorities of a controller's keys, and of the turns of its tenants. */
import assert from "node:assert/strict";
import {
  configMap,
  forMaps,
  harness,
} from "../../../tests/support/in_process/controller_harness.ts";
import { ConfigMap } from "@xca/apimachinery/meta";
import type { ControllerOptions } from "../definition/controller_definition.ts";
import { ItemExponentialLimiter } from "@xca/apimachinery/workqueue";

Deno.test("a change is reconciled before the rest of the first list", async () => {
  await using h = harness();
  for (let at = 0; at < 50; at++) h.cluster.put(ConfigMap, configMap(`old-${at}`));
  const seen: string[] = [];
  let isFirst = true;
  h.run(forMaps(({ name }) => {
    seen.push(name);
    if (isFirst) {
      h.cluster.put(ConfigMap, configMap("new"));
      h.cluster.put(ConfigMap, configMap("old-40", { data: { changed: "yes" } }));
    }
    isFirst = false;
  }));
  await h.clock.settle();
  assert.deepEqual(seen.slice(0, 4), ["old-0", "new", "old-40", "old-1"]);
  assert.equal(seen.length, 51, "a raised key runs once");
});

Deno.test("a retry of the first list keeps its low priority", async () => {
  await using h = harness();
  for (const name of ["a", "b", "c"]) h.cluster.put(ConfigMap, configMap(name));
  const seen: string[] = [];
  const busy = Promise.withResolvers<void>();
  const rateLimiter = () => new ItemExponentialLimiter<string>({ baseMs: 1 });
  const controller = forMaps(async ({ name }) => {
    seen.push(name);
    if (name === "b") await busy.promise;
    if (name === "a" && seen.length === 1) throw new Error("no");
  }, { rateLimiter });
  h.run(controller);
  // While the worker is busy, the retry of "a" comes due and a new object arrives.
  await h.clock.advance(10);
  h.cluster.put(ConfigMap, configMap("new"));
  busy.resolve();
  await h.clock.advance(100);
  assert.deepEqual(seen, ["a", "b", "new", "c", "a"]);
});

Deno.test("fairBy: a namespace with many objects does not delay the others", async () => {
  for (const fairBy of ["namespace", (key: string) => key.split("/")[0]!] as const) {
    await using h = harness();
    for (let at = 0; at < 20; at++) {
      h.cluster.put(ConfigMap, { metadata: { namespace: "big", name: `${at}` } });
    }
    h.cluster.put(ConfigMap, { metadata: { namespace: "small", name: "one" } });
    const seen: string[] = [];
    h.run(forMaps(({ key }) => void seen.push(key), { fairBy }));
    await h.clock.settle();
    assert.equal(seen.indexOf("small/one"), 1);
    assert.equal(seen.length, 21);
  }
});

Deno.test("fairWeights: a namespace gets as many runs in each turn as its weight", async () => {
  await using h = harness();
  for (const namespace of ["gold", "iron"]) {
    for (let at = 0; at < 6; at++) {
      h.cluster.put(ConfigMap, { metadata: { namespace, name: `${at}` } });
    }
  }
  const seen: (string | undefined)[] = [];
  h.run(forMaps(({ namespace }) => void seen.push(namespace), {
    fairBy: "namespace",
    fairWeights: { gold: 2 },
  }));
  await h.clock.settle();
  assert.equal(seen.map((namespace) => namespace?.[0]).join(""), "ggiggiggiiii");
});

Deno.test("fairWeights: a wrong weight, and weights without fairBy, are refused", () => {
  const weighted = (weights: unknown): ControllerOptions => ({
    fairBy: "namespace",
    fairWeights: weights as Record<string, number>,
  });
  for (const [weight, given] of [[0.5, "0.5"], [Infinity, "Infinity"], ["2", "of type string"]]) {
    assert.throws(() => forMaps(() => {}, weighted({ gold: weight })), {
      name: "RangeError",
      message:
        "Cannot run controller configmap: the weight of tenant gold in fairWeights must be at " +
        `least 1, is ${given}`,
    });
  }
  assert.throws(
    () => forMaps(() => {}, weighted(3)),
    /fairWeights must be an object of weights by tenant/,
  );
  const alone: ControllerOptions = { fairWeights: { gold: 2 } };
  assert.throws(
    () => forMaps(() => {}, alone),
    /fairWeights are the weights of the tenants of fairBy/,
  );
});

Deno.test("fairBy: a function that throws loses no key, and another value is refused", async () => {
  await using h = harness();
  for (const name of ["a", "b"]) h.cluster.put(ConfigMap, configMap(name));
  const seen: string[] = [];
  const fairBy = (): string => {
    throw new Error("no tenant");
  };
  h.run(forMaps(({ name }) => void seen.push(name), { fairBy }));
  await h.clock.settle();
  assert.deepEqual(seen, ["a", "b"]);
  const wrong = "labels" as "namespace";
  assert.throws(() => h.run(forMaps(() => {}, { fairBy: wrong })), /fairBy is not "namespace"/);
  assert.throws(() => h.run(forMaps(() => {}, { agingMs: -1 })), /agingMs must be between 0 and/);
});
