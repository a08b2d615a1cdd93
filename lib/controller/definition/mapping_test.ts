import assert from "node:assert/strict";
import { CollectedLog } from "../../../tests/support/faults/collected_log.ts";
import {
  configMap,
  forMaps,
  harness,
} from "../../../tests/support/in_process/controller_harness.ts";
import {
  ConfigMap,
  Deployment,
  Namespace,
  type OwnerReference,
  Pod,
  Secret,
  type UnstructuredObject,
} from "@xca/apimachinery/meta";
import { controllerFor } from "./controller_builder.ts";
import type { OnceReport } from "../ports/operator_progress.ts";
import type { MapFunction } from "./mapping.ts";

function owner(name: string, fields: Partial<OwnerReference> = {}): OwnerReference {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    name,
    uid: `uid-of-${name}`,
    controller: true,
    ...fields,
  };
}

function owned(name: string, ...ownerReferences: OwnerReference[]): UnstructuredObject {
  return configMap(name, { metadata: { ownerReferences } });
}

Deno.test("B70 an owned object leads to its controller: group and kind must match, the version may differ", async () => {
  await using h = harness();
  const keys: string[] = [];
  h.run(controllerFor(Deployment).owns(Pod).reconcile(({ key }) => void keys.push(key)));
  const references: OwnerReference[] = [
    owner("same", { apiVersion: "apps/v1", kind: "Deployment" }),
    owner("older", { apiVersion: "apps/v1beta1", kind: "Deployment" }),
    owner("group", { apiVersion: "extensions/v1", kind: "Deployment" }),
    owner("core", { apiVersion: "v1", kind: "Deployment" }),
    owner("kind", { apiVersion: "apps/v1", kind: "ReplicaSet" }),
    owner("plain", { apiVersion: "apps/v1", kind: "Deployment", controller: false }),
  ];
  for (const [index, reference] of references.entries()) {
    h.cluster.put(Pod, owned(`pod-${index}`, reference));
  }
  await h.clock.settle();
  assert.deepEqual(keys, ["default/same", "default/older"]);
});

Deno.test("B70 with anyOwner every owner counts, and an owner that is named twice is enqueued once", async () => {
  await using h = harness();
  const keys: string[] = [];
  h.run(
    controllerFor(ConfigMap).owns(Secret, { anyOwner: true })
      .reconcile(({ key }) => void keys.push(key)),
  );
  await h.clock.settle();
  h.cluster.put(
    Secret,
    owned("s", owner("a"), owner("b", { controller: false }), owner("a", { controller: false })),
  );
  await h.clock.settle();
  assert.deepEqual(keys, ["default/a", "default/b"]);
});

Deno.test("B70 an update is mapped with the old and with the new object", async () => {
  await using h = harness();
  const keys: string[] = [];
  h.cluster.put(Secret, owned("s", owner("a")));
  h.run(controllerFor(ConfigMap).owns(Secret).reconcile(({ key }) => void keys.push(key)));
  await h.clock.settle();
  h.cluster.put(Secret, owned("s", owner("b")));
  await h.clock.settle();
  assert.deepEqual(keys, ["default/a", "default/a", "default/b"]);
});

Deno.test("B70 a deleted object leads to its owner; a cluster-scoped owner has no namespace", async () => {
  await using h = harness();
  const keys: string[] = [];
  h.cluster.put(Secret, owned("s", owner("ns", { kind: "Namespace" })));
  h.run(controllerFor(Namespace).owns(Secret).reconcile(({ key }) => void keys.push(key)));
  await h.clock.settle();
  h.cluster.remove(Secret, "default/s");
  await h.clock.settle();
  assert.deepEqual(keys, ["ns", "ns"]);
});

Deno.test("B70 a namespaced owner of a cluster-scoped object leads to no key", async () => {
  await using h = harness();
  const keys: string[] = [];
  const metadata = { name: "ns", ownerReferences: [owner("a")] };
  h.cluster.put(Namespace, { metadata });
  const handle = h.run(
    controllerFor(ConfigMap).owns(Namespace).reconcile(({ key }) => void keys.push(key)),
  );
  await h.clock.settle();
  assert.deepEqual([keys, handle.progress().failing], [[], []]);
});

Deno.test("watches() enqueues the keys that the function returns, each once", async () => {
  await using h = harness();
  const keys: string[] = [];
  h.cluster.put(ConfigMap, configMap("a"));
  h.run(
    controllerFor(Secret).watches(ConfigMap, async (object, { cache }) => {
      const others = await cache.list(ConfigMap);
      return [
        object.key,
        object.key,
        ...others.map(({ metadata }) => `default/${metadata.name}-x`),
      ];
    }).reconcile(({ key }) => void keys.push(key)),
  );
  await h.clock.settle();
  assert.deepEqual(keys, ["default/a", "default/a-x"]);
});

Deno.test("F35 a generator that throws a TypeError is called again, as other functions are", async () => {
  await using h = harness();
  const keys: string[] = [];
  let calls = 0;
  h.cluster.put(ConfigMap, configMap("a"));
  const handle = h.run(
    controllerFor(Secret).watches(ConfigMap, function* ({ key }) {
      if (++calls < 3) throw new TypeError("Cannot read properties of undefined");
      yield key;
    }).reconcile(({ key }) => void keys.push(key)),
  );
  await handle.ready;
  await h.clock.advance(15);
  assert.deepEqual(keys, ["default/a"]);
  assert.deepEqual(handle.progress().failing, []);
});

Deno.test("F35 a mapping function that fails is retried until it succeeds, and delays no other event", async () => {
  await using h = harness();
  const keys: string[] = [];
  const calls: Record<string, number> = {};
  for (const name of ["throws", "rejects", "good"]) h.cluster.put(ConfigMap, configMap(name));
  const handle = h.run(
    controllerFor(Secret).watches(ConfigMap, ({ name, key }) => {
      const call = calls[name] = (calls[name] ?? 0) + 1;
      if (name === "throws" && call < 3) throw new Error("no");
      if (name === "rejects" && call < 2) return Promise.reject(new Error("no"));
      return [key];
    }).reconcile(({ key }) => void keys.push(key)),
  );
  await handle.ready;
  await h.clock.settle();
  assert.deepEqual(keys, ["default/good"]);
  assert.deepEqual(handle.progress().failing[0], {
    controller: "secret",
    key: "default/throws",
    mapping: "configmaps.v1",
    error: "the mapping of configmaps.v1 to keys failed: no",
    attempts: 1,
    nextTryInMs: 5,
  });
  await h.clock.advance(5);
  assert.deepEqual(keys, ["default/good", "default/rejects"]);
  assert.equal(handle.progress().failing[0]!.nextTryInMs, 10);
  const report = handle.settled();
  await h.clock.advance(10);
  assert.deepEqual(keys, ["default/good", "default/rejects", "default/throws"]);
  assert.deepEqual((await report).failed, []);
});

Deno.test("F35 --once ends when a retried mapping succeeds with no key", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  let calls = 0;
  const handle = h.run(
    controllerFor(Secret).watches(ConfigMap, () => {
      if (++calls === 1) throw new Error("no");
      return [];
    }).reconcile(() => {}),
  );
  let report: OnceReport | undefined;
  void handle.settled().then((value) => report = value);
  await h.clock.advance(60_000);
  assert.equal(calls, 2);
  assert.deepEqual(report?.failed, []);
});

Deno.test("F35 --once waits for the valid keys of a retried mapping that also returns an invalid one", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  let calls = 0;
  const keys: string[] = [];
  const handle = h.run(
    controllerFor(Secret).watches(ConfigMap, () => {
      if (++calls === 1) throw new Error("no");
      return ["a/b/c", "default/kept"];
    }).reconcile(({ key }) => void keys.push(key)),
  );
  let keysAtEnd: string[] | undefined;
  void handle.settled().then(() => keysAtEnd = [...keys]);
  await h.clock.advance(60_000);
  assert.deepEqual(keysAtEnd, ["default/kept"]);
});

Deno.test("F35 a mapping that keeps failing counts as failed, and --once ends", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  let calls = 0;
  const handle = h.run(
    controllerFor(Secret).watches(ConfigMap, () => {
      calls++;
      throw new Error("no");
    }).reconcile(() => {}),
  );
  const settled = handle.settled();
  await h.clock.advance(60_000);
  const { failed } = await settled;
  assert.deepEqual(failed.map(({ key, attempts }) => [key, attempts]), [["default/a", 5]]);
  assert(calls > 5, "it is tried on");
});

Deno.test("F35 old states that could not be mapped are mapped with the next state", async () => {
  await using h = harness();
  const keys: string[] = [];
  let fails = false;
  h.cluster.put(Secret, configMap("s", { metadata: { labels: { of: "a" } } }));
  h.run(
    controllerFor(ConfigMap).watches(Secret, ({ labels }) => {
      if (fails) throw new Error("no");
      return [`default/${labels.of}`];
    }).reconcile(({ key }) => void keys.push(key)),
  );
  await h.clock.settle();
  fails = true;
  h.cluster.put(Secret, configMap("s", { metadata: { labels: { of: "b" } } }));
  await h.clock.settle();
  fails = false;
  h.cluster.put(Secret, configMap("s", { metadata: { labels: { of: "c" } } }));
  await h.clock.settle();
  assert.deepEqual(keys, ["default/a", "default/a", "default/b", "default/c"]);
  await h.clock.advance(1_000);
  assert.equal(keys.length, 4, "nothing is left to try");
});

Deno.test("F35 a returned value that is not a key is an error, and the other keys are enqueued", async () => {
  for (
    const [returned, error, enqueued] of [
      ["default/a", /the function returned a string; return the keys in an array/, []],
      [undefined, /returned nothing, not an iterable of keys/, []],
      [7, /returned a value of type number, not an iterable of keys/, []],
      [["a/b/c", "", "default/kept"], /current value is "a\/b\/c"/, ["default/kept"]],
      [
        ["kept"],
        /"kept" as a key of secrets.v1: .* namespaced, so its keys are namespace\/name/,
        [],
      ],
      [new Set([undefined, "default/kept"]), /it must be a string/, ["default/kept"]],
    ] as const
  ) {
    await using h = harness();
    const keys: string[] = [];
    h.cluster.put(ConfigMap, configMap("odd"));
    h.cluster.put(ConfigMap, configMap("good"));
    const map = (({ name, key }) => name === "good" ? [key] : returned) as MapFunction;
    const handle = h.run(
      controllerFor(Secret).watches(ConfigMap, map).reconcile(({ key }) => void keys.push(key)),
    );
    const settled = handle.settled();
    await h.clock.advance(10_000);
    assert.deepEqual(keys, [...enqueued, "default/good"]);
    const { failed } = await settled;
    assert.equal(failed.length, 1);
    assert.match(failed[0]!.error, error);
    assert.equal(failed[0]!.attempts, 1, "the same answer would come again");
  }
});

Deno.test("a string is not an iterable of keys for the compiler either", () => {
  // @ts-expect-error -- each character of it would be a key
  const wrong: MapFunction = ({ key }) => key;
  // @ts-expect-error -- the same later
  const later: MapFunction = ({ key }) => Promise.resolve(key);
  const right: readonly MapFunction[] = [
    ({ key }) => [key],
    ({ key }) => new Set([key]),
    function* ({ key }) {
      yield key;
    },
    ({ key }) => Promise.resolve([key]),
  ];
  assert.equal([wrong, later, ...right].length, 6);
});

Deno.test("F36 a mapping function that never settles counts as failed after the timeout of a run", async () => {
  await using h = harness();
  const keys: string[] = [];
  let hangs = false;
  const handle = h.run(
    controllerFor(Secret).options({ timeoutMs: 60_000 })
      .watches(ConfigMap, ({ key }) => hangs ? new Promise(() => {}) : [key])
      .reconcile(({ key }) => void keys.push(key)),
  );
  await h.clock.settle();
  hangs = true;
  h.cluster.put(ConfigMap, configMap("a"));
  await h.clock.advance(60_000);
  assert.match(handle.progress().failing[0]!.error, /took longer than 60000 ms/);
  hangs = false;
  await h.clock.advance(5);
  assert.deepEqual(keys, ["default/a"]);
});

Deno.test("F36 a mapping function that delays the events of its source is reported", async () => {
  await using log = await CollectedLog.start();
  await using h = harness();
  h.run(
    controllerFor(Secret).options({ warnAfterMs: 10_000 })
      .watches(ConfigMap, () => new Promise(() => {})).reconcile(() => {}),
  );
  h.cluster.put(ConfigMap, configMap("a"));
  const warnings = (): string[] =>
    log.records.filter(({ level }) => level === "warning").map(({ message }) => message.join(""));
  await h.clock.advance(9_999);
  assert.deepEqual(warnings(), []);
  await h.clock.advance(20_000);
  assert.deepEqual(warnings().map((line) => line.replaceAll('"', "")), [
    "The mapping of configmaps.v1 default/a to keys has not settled for 10000 ms, and delays all " +
    "later events of configmaps.v1; it fails after 600000 ms",
  ]);
});

Deno.test("F35 a mapping that throws for one version after it rejected for another ends no process", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a", { data: { team: "gone" } }));
  const handle = h.run(
    controllerFor(Secret).watches(ConfigMap, ({ object }) => {
      const team = object.data!.team!.toLowerCase();
      return team === "gone" ? Promise.reject(new Error("no such team")) : [`default/${team}`];
    }).reconcile(() => {}),
  );
  await h.clock.settle();
  h.cluster.put(ConfigMap, configMap("a", { data: undefined }));
  await h.clock.settle();
  assert.match(handle.progress().failing[0]!.error, /Cannot read properties of undefined/);
});

Deno.test("a mapping function is not called before every cache of the controller is filled", async () => {
  await using h = harness();
  h.cluster.holdSync();
  h.cluster.put(ConfigMap, configMap("a"));
  h.cluster.put(Secret, configMap("s"));
  const seen: string[] = [];
  h.run(
    controllerFor(Secret).watches(ConfigMap, async ({ name }, { cache }) => {
      const secrets = await cache.list(Secret);
      seen.push(`${name} sees ${secrets.length}`);
      return secrets.map(({ metadata }) => `default/${metadata.name}`);
    }).reconcile(({ key }) => void seen.push(key)),
  );
  h.cluster.fakeInformer(ConfigMap).sync();
  await h.clock.advance(1_000);
  assert.deepEqual(seen, []);
  h.cluster.fakeInformer(Secret).sync();
  await h.clock.settle();
  assert.deepEqual(seen, ["a sees 1", "default/s"]);
});

Deno.test("one informer serves every controller and source of a resource", async () => {
  await using h = harness();
  const nothing = (): void => {};
  h.run([
    controllerFor(ConfigMap).named("one").reconcile(nothing),
    controllerFor(ConfigMap).named("two").reconcile(nothing),
    controllerFor(Secret).owns(ConfigMap).reconcile(nothing),
  ]);
  await h.clock.settle();
  assert.equal(h.cluster.fakeInformer(ConfigMap).listeners, 3);
});

Deno.test("a stopped controller removes its handlers", async () => {
  await using h = harness();
  const handle = h.run(forMaps(() => {}));
  await handle.ready;
  await handle.stop();
  assert.equal(h.cluster.fakeInformer(ConfigMap).listeners, 0);
});

Deno.test("a mapping failure that no retry mends ends with its object", async () => {
  await using log = await CollectedLog.start();
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  const map =
    (({ labels }: { readonly labels: Readonly<Record<string, string>> }) =>
      labels.mended ? [] : "default/x") as unknown as MapFunction;
  const handle = h.run(controllerFor(Secret).watches(ConfigMap, map).reconcile(() => {}));
  await h.clock.settle();
  assert.deepEqual(handle.progress().failing.map(({ key }) => key), ["default/a"]);
  h.cluster.remove(ConfigMap, "default/a");
  await h.clock.settle();
  assert.deepEqual(handle.progress().failing, []);
  assert.match(
    log.messages("error").at(-1)!,
    /the mapping is not retried, since the object is deleted/,
  );
  h.cluster.put(ConfigMap, configMap("a", { metadata: { labels: { mended: "yes" } } }));
  await h.clock.settle();
  assert.deepEqual(handle.progress().failing, [], "its successor is not charged with it");
  assert.deepEqual((await handle.settled()).failed, []);
});

Deno.test("a mapping function that always throws on a deleted object is called for some minutes", async () => {
  await using log = await CollectedLog.start();
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  let calls = 0;
  const handle = h.run(
    controllerFor(Secret).watches(ConfigMap, () => {
      calls++;
      throw new Error("no app");
    }).reconcile(() => {}),
  );
  await h.clock.advance(3_600_000);
  assert.deepEqual(handle.progress().failing.map(({ key }) => key), ["default/a"]);
  h.cluster.remove(ConfigMap, "default/a");
  await h.clock.settle();
  assert.deepEqual(handle.progress().failing.map(({ key }) => key), ["default/a"]);
  await h.clock.advance(24 * 3_600_000);
  assert.deepEqual(handle.progress().failing, []);
  assert.match(
    log.messages("error").at(-1)!,
    /no app; the mapping is not retried, since the object is deleted/,
  );
  const before = calls;
  await h.clock.advance(24 * 3_600_000);
  assert.equal(calls, before);
  h.cluster.put(ConfigMap, configMap("b"));
  h.cluster.remove(ConfigMap, "default/b");
  await h.clock.advance(120_000);
  assert.deepEqual(handle.progress().failing.map(({ key }) => key), ["default/b"]);
  await h.clock.advance(300_000);
  assert.deepEqual(handle.progress().failing, []);
});

Deno.test("a mapping function that throws on a deleted object is called again", async () => {
  await using h = harness();
  const keys: string[] = [];
  let failures = 0;
  h.cluster.put(ConfigMap, configMap("a"));
  const handle = h.run(
    controllerFor(Secret).watches(ConfigMap, ({ key }) => {
      if (h.cluster.keys(ConfigMap).length === 0 && failures++ === 0) throw new Error("no");
      return [key];
    }).reconcile(({ key }) => void keys.push(key)),
  );
  await h.clock.settle();
  h.cluster.remove(ConfigMap, "default/a");
  await h.clock.settle();
  assert.deepEqual(handle.progress().failing.map(({ key }) => key), ["default/a"]);
  await h.clock.advance(5);
  assert.deepEqual(handle.progress().failing, []);
  assert.deepEqual(keys, ["default/a", "default/a"]);
});
